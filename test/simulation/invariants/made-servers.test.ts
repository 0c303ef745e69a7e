import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { machines } from '../../stories/stage/v1alpha1.ts';
import type { ProviderAnswer } from '../platform/provider-answer.ts';
import { providerSecret } from '../platform/provider-token.ts';
import { noServerIsLeft } from './no-server-is-left.ts';
import { serversAreMadeOnce } from './servers-are-made-once.ts';
import { serversHaveMachines } from './servers-have-machines.ts';
import { openStage, type Stage } from './stage.ts';

const named = { namespace: 'fleet', name: 'old-1' };
const plan = { api: 'v1alpha1', resource: machines, ...named, host: 'blue', node: undefined } as const;

/** A stage with a Machine of v1alpha1. */
async function open(invariant: typeof serversAreMadeOnce): Promise<{ stage: Stage; machine: KubeObject }> {
  const stage = await openStage(invariant, { machines: [plan] });
  const machine = stage.world.management.create(machines, {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Machine',
    metadata: { ...named, finalizers: ['machine.cluster.k8s.io'] },
    spec: { providerSpec: {} },
  });
  await stage.pass();
  return { stage, machine };
}

function call(
  { observer }: Stage,
  operation: 'exists' | 'create' | 'update',
  machine: KubeObject,
  answer?: ProviderAnswer,
  instance = 'instance-1',
): void {
  const about = { instance, operation, machine, cluster: undefined };
  observer.asked?.(about);
  if (answer !== undefined) observer.provider?.(about, answer);
}

const read = (stage: Stage): void => stage.ask({ verb: 'get', resource: machines, ...named });
function sendForToken(stage: Stage): () => void {
  const [namespace = '', name = ''] = providerSecret.split('/');
  return stage.send({ verb: 'get', resource: 'secrets', namespace, name });
}
/** It is asked for, and no answer comes. */
const loseToken = (stage: Stage): void => void sendForToken(stage);
async function readToken(stage: Stage, milliseconds: number): Promise<void> {
  const arrives = sendForToken(stage);
  await stage.pass(milliseconds);
  arrives();
}
const remove = ({ world }: Stage): void => world.management.remove(machines, { metadata: named });

const create = 'instance-1 has the provider create the server of Machine fleet/old-1';
const update = 'instance-1 has the provider update the server of Machine fleet/old-1';
const unseen = 'the Machine was not seen to live right before';

interface Case {
  about: string;
  says: ProviderAnswer;
  before?: (stage: Stage) => void | Promise<void>;
  operation: 'create' | 'update';
  cries: string[];
}

const absent: ProviderAnswer = { kind: 'absent' };
const exists: ProviderAnswer = { kind: 'exists' };

describe('a server', () => {
  test.each<Case>([
    { about: 'that is not there is made', says: absent, before: read, operation: 'create', cries: [] },
    { about: 'that is there is changed', says: exists, before: read, operation: 'update', cries: [] },
    {
      about: 'that is there is made again',
      says: exists,
      before: read,
      operation: 'create',
      cries: [`${create}: the provider has not said that it is not there`],
    },
    {
      about: 'of which the provider could not tell is made',
      says: { kind: 'retry', afterSeconds: 1, message: '' },
      before: read,
      operation: 'create',
      cries: [`${create}: the provider has not said that it is not there`],
    },
    {
      about: 'that is not there is changed',
      says: absent,
      before: read,
      operation: 'update',
      cries: [`${update}: the provider has not said that it is there`],
    },
    {
      about: 'is made, and its Machine was not read before',
      says: absent,
      operation: 'create',
      cries: [`${create}: ${unseen}`],
    },
    {
      about: 'is made some time after its Machine was read',
      says: absent,
      before: async (stage) => {
        read(stage);
        await stage.pass(2_000);
      },
      operation: 'create',
      cries: [`${create}: ${unseen}`],
    },
    {
      about: 'is made once what is shown to the provider was read, too, which took some time',
      says: absent,
      before: async (stage) => {
        read(stage);
        await readToken(stage, 2_000);
      },
      operation: 'create',
      cries: [],
    },
    {
      about: 'is made once that was read at the second try',
      says: absent,
      before: async (stage) => {
        read(stage);
        loseToken(stage);
        await stage.pass(1_000);
        await readToken(stage, 10);
      },
      operation: 'create',
      cries: [],
    },
    {
      about: 'is made some time after what is shown to the provider was read',
      says: absent,
      before: async (stage) => {
        read(stage);
        await readToken(stage, 10);
        await stage.pass(2_000);
      },
      operation: 'create',
      cries: [`${create}: ${unseen}`],
    },
    {
      about: 'is made for a Machine that was seen to be deleted',
      says: absent,
      before: async (stage) => {
        remove(stage);
        await stage.pass(10);
        read(stage);
      },
      operation: 'create',
      cries: [`${create}: ${unseen}`],
    },
  ])('$about', async ({ says, before, operation, cries }) => {
    const { stage, machine } = await open(serversAreMadeOnce);
    call(stage, 'exists', machine, says);
    await before?.(stage);
    call(stage, operation, machine);
    expect(stage.cries).toEqual(cries);
  });

  test('may be asked for up to four times because its Machine was seen to live', async () => {
    const { stage, machine } = await open(serversAreMadeOnce);
    call(stage, 'exists', machine, absent);
    read(stage);
    for (let times = 0; times < 4; times += 1) {
      call(stage, 'create', machine);
      await stage.pass(1_000);
    }
    expect(stage.cries).toEqual([]);
    call(stage, 'create', machine);
    expect(stage.cries).toEqual([`${create}: ${unseen}`]);
  });

  test.each([
    ['once more because of the same, though somebody read its Machine meanwhile', 60_000, []],
    ['once more because of what was seen too long ago', 60_001, [`${create}: ${unseen}`]],
  ])('is asked for %s', async (_about, milliseconds, cries) => {
    const { stage, machine } = await open(serversAreMadeOnce);
    call(stage, 'exists', machine, absent);
    read(stage);
    call(stage, 'create', machine);
    await stage.pass(10);
    read(stage);
    await stage.pass(milliseconds - 10);
    call(stage, 'create', machine);
    expect(stage.cries).toEqual(cries);
  });

  test('is made by who stood still since its Machine was read, and is asked to end by then', async () => {
    const { stage, machine } = await open(serversAreMadeOnce);
    const { world } = stage;
    world.begin();
    const [instance] = world.instances();
    call(stage, 'exists', machine, absent);
    read(stage);
    instance?.strand.pause(2_000);
    if (instance !== undefined) world.retire(instance);
    await stage.pass(2_000);
    call(stage, 'create', machine);
    expect({ cries: stage.cries, name: instance?.name, left: world.instances().length }).toEqual({
      cries: [],
      name: 'instance-1',
      left: 0,
    });
  });

  test('is asked for once more by who stood still since its connection was lost', async () => {
    const { stage, machine } = await open(serversAreMadeOnce);
    stage.world.begin();
    const [instance] = stage.world.instances();
    call(stage, 'exists', machine, absent);
    read(stage);
    call(stage, 'create', machine);
    instance?.strand.pause(90_000);
    await stage.pass(90_000);
    call(stage, 'create', machine);
    expect({ cries: stage.cries, name: instance?.name }).toEqual({ cries: [], name: 'instance-1' });
  });
});

const end = ({ observer }: Stage): void => {
  observer.quiet?.();
  observer.ended?.();
};

const running = {
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  providerStatus: { instanceState: 'running' },
};

/** As the provider's reports have it. */
const adopt = (stage: Stage, machine: KubeObject): void => tellOf(stage, machine, running);

function tellOf({ world }: Stage, machine: KubeObject, status: object): void {
  world.cloud.adopt(machine);
  const [server] = world.cloud.servers();
  world.management.patch(machines, machine, { spec: { providerID: server?.providerId } });
  world.management.patch(machines, machine, { status }, 'status');
}

const patch = ({ world }: Stage, finalizers: string[] | null): void =>
  void world.management.patch(machines, { metadata: named }, { metadata: { finalizers } });

function begun({ world }: Stage): string[] {
  world.begin();
  return world.instances().map(({ name }) => name);
}

/** By an instance, which takes our finalizer off. */
async function letGo(stage: Stage): Promise<void> {
  remove(stage);
  const [host, resource] = ['management', machines];
  stage.ask({ host, resource, ...named, verb: 'patch', body: [] }, () => patch(stage, null));
  await stage.pass(10);
}

/** By hand. */
async function tear(stage: Stage): Promise<void> {
  remove(stage);
  await stage.pass(10);
  patch(stage, null);
  await stage.pass(10);
}

const left = (uid: string): string[] => [`the server of Machine fleet/old-1, ${uid}, is there`];
const none = (): string[] => [];

describe('in the end', () => {
  test.each<[string, (stage: Stage, machine: KubeObject) => void, (uid: string) => string[]]>([
    ['a Machine that lives has its server', adopt, () => []],
    ['a Machine that lives has none', () => undefined, () => ['Machine fleet/old-1 lives and has no server']],
    [
      'a Machine does not say which server it has',
      ({ world }, machine) => world.cloud.adopt(machine),
      (uid) => [`Machine fleet/old-1 does not name its server local:///${uid}`],
    ],
    [
      'a Machine says that its server is something else',
      (stage, machine) =>
        tellOf(stage, machine, { ...running, providerStatus: { instanceState: 'creating' } }),
      () => ['Machine fleet/old-1 says that its server is creating, and it is running'],
    ],
    [
      'a Machine does not say where its server is',
      (stage, machine) => tellOf(stage, machine, { ...running, addresses: [] }),
      () => ['Machine fleet/old-1 has no address'],
    ],
  ])('%s', async (_about, act, cries) => {
    const { stage, machine } = await open(serversHaveMachines);
    act(stage, machine);
    await stage.pass(10);
    end(stage);
    expect(stage.cries).toEqual(cries(machine.metadata.uid ?? ''));
  });

  test.each<[string, (stage: Stage, machine: KubeObject) => Promise<void>, (uid: string) => string[]]>([
    ['a server is left of a Machine that was let go', letGo, left],
    ['a server is left of a Machine that was torn away', tear, none],
    [
      'a server is left of a Machine that nobody held on to',
      async (stage) => {
        patch(stage, []);
        await stage.pass(10);
        remove(stage);
        await stage.pass(10);
      },
      left,
    ],
    [
      'one is made after its Machine was torn away',
      async (stage, machine) => {
        const [instance] = begun(stage);
        await tear(stage);
        call(stage, 'create', machine, { kind: 'done', report: {} }, instance);
      },
      left,
    ],
    [
      'one is left, as the log says',
      async (stage) => {
        await letGo(stage);
        stage.observer.logged?.(
          'instance-1',
          'warn',
          'An instance may be left of a Machine that is gone',
          {},
        );
      },
      none,
    ],
    [
      'one is left by an instance that died over it',
      async (stage, machine) => {
        call(stage, 'create', machine);
        await letGo(stage);
      },
      none,
    ],
  ])('%s', async (_about, act, cries) => {
    const { stage, machine } = await open(noServerIsLeft);
    adopt(stage, machine);
    await stage.pass(10);
    await act(stage, machine);
    end(stage);
    expect(stage.cries).toEqual(cries(machine.metadata.uid ?? ''));
  });

  test("a server that was nobody's is touched", async () => {
    const stage = await openStage({
      ...serversHaveMachines,
      watch(made, scenario, violated) {
        made.cloud.adopt({ metadata: { namespace: 'fleet', name: 'old-1', uid: 'uid-0' } });
        return serversHaveMachines.watch(made, scenario, violated);
      },
    });
    end(stage);
    expect(stage.cries).toEqual([]);
    await stage.world.cloud.delete({
      machine: { metadata: { namespace: 'fleet', name: 'old-1', uid: 'uid-0' } },
      cluster: undefined,
    });
    await stage.pass(10_000);
    end(stage);
    expect(stage.cries).toEqual(['the server of uid-0 is gone, and nobody knows of it']);
  });
});
