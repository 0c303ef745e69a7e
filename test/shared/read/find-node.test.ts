import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { load } from '../../../shared/reconcile/load.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../../builders/world.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

const limits = {
  nodeDrainTimeoutSeconds: 9,
  nodeVolumeDetachTimeoutSeconds: 9,
  nodeDeletionTimeoutSeconds: 9,
};

const drainedAt = (seconds: number): Checkpoint['passed'] => ({
  drain: { as: 'done', since: timeAfter(seconds) },
});

const arrivalAt = async (...standing: Parameters<typeof arrived>) => (await arrived(...standing)).kind;

/** A Machine without a nodeRef stands there, so many seconds after, and nobody can list the Nodes. */
async function arrived(
  checkpoint: Partial<Checkpoint>,
  seconds = 10,
  change: (world: World) => void = () => undefined,
  annotations: Record<string, string> = {},
) {
  const saved = aCheckpoint(checkpoint);
  const world = aWorld(
    aRawMachine({
      annotations: atCheckpoint(saved, annotations),
      spec: { deletion: limits },
      status: { nodeRef: undefined },
    }),
  );
  world.time.now = after(seconds);
  change(world);
  world.workload.on('list nodes', noAnswer);
  return load(world.env, saved.phase, aCommand({ phase: saved.phase }), false);
}

test.each<[what: string, checkpoint: Partial<Checkpoint>, kind: string]>([
  ['hooks before the drain', { phase: 'pre-drain' }, 'blind'],
  ['a drain', { since: timeAfter(2) }, 'blind'],
  ['a drain whose time is over', { since: timeAfter(1), reached: timeAfter(0) }, 'here'],
  ['a drain that nothing has tried', { since: timeAfter(1) }, 'blind'],
  ['volumes', { phase: 'volume-detach', since: timeAfter(2) }, 'blind'],
  [
    'volumes whose time is over',
    { phase: 'volume-detach', since: timeAfter(1), reached: timeAfter(1), passed: drainedAt(2) },
    'blind',
  ],
  [
    'volumes whose time is over as that of the drain is',
    { phase: 'volume-detach', since: timeAfter(1), reached: timeAfter(1), passed: drainedAt(1) },
    'here',
  ],
  ['a Node that is deleted at the end', { phase: 'node' }, 'here'],
])(
  'what is not known of a Node that cannot be looked for holds up %s: %s',
  async (_what, checkpoint, kind) => {
    expect(await arrivalAt(checkpoint)).toBe(kind);
  },
);

test.each<[what: string, checkpoint: Partial<Checkpoint>, seconds: number, allowed: boolean | undefined]>([
  ['is to be deleted after its bootstrap config', { phase: 'bootstrap', node: 'node-uid-1' }, 10, true],
  ['was never seen, after its bootstrap config', { phase: 'bootstrap' }, 10, false],
  ['is deleted', { phase: 'node', node: 'node-uid-1' }, 9, undefined],
  ['is deleted, whose time is over', { phase: 'node', node: 'node-uid-1', reached: timeAfter(1) }, 10, false],
  ['is deleted, and nothing has tried it', { phase: 'node', node: 'node-uid-1' }, 10, undefined],
])(
  'a Node that %s cannot be looked for and may be touched %s seconds after: %s',
  async (_what, checkpoint, seconds, allowed) => {
    const passed = drainedAt(1);
    const arrival = await arrived({ since: timeAfter(1), passed, ...checkpoint }, seconds);
    const judged = arrival.kind === 'here' ? arrival.arrived.subject.nodeDeletion.allowed : undefined;
    expect(judged).toBe(allowed);
  },
);

const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/own': '' };

test.each<[what: string, checkpoint: Partial<Checkpoint>, kind: string]>([
  ['pre-terminate hooks', { phase: 'pre-terminate', node: 'node-uid-1' }, 'blind'],
  ['the end of its server', { phase: 'infrastructure', node: 'node-uid-1' }, 'blind'],
  ['the end of its server where none was ever seen', { phase: 'infrastructure' }, 'here'],
])('a hook before the drain that came late holds up %s: %s', async (_what, checkpoint, kind) => {
  const passed = drainedAt(2);
  expect(await arrivalAt({ ...checkpoint, passed }, 10, () => undefined, hook)).toBe(kind);
});

const dropServer = ({ management }: World): void => management.drop('servers/default/m-1');

test('such a hook holds nothing up where its server is gone', async () => {
  const checkpoint = { phase: 'infrastructure', node: 'node-uid-1', passed: drainedAt(2) } as const;
  expect(await arrivalAt(checkpoint, 10, dropServer, hook)).toBe('here');
});

test.each<[string, (world: World) => void, string]>([
  ['is gone', dropServer, 'here'],
  [
    'is going',
    ({ management }) =>
      management.change('servers/default/m-1', {
        metadata: { deletionTimestamp: timeAfter(5), finalizers: ['example.com/x'] },
      }),
    'here',
  ],
  ['cannot be read', ({ management }) => management.on('get servers/default/m-1', noAnswer), 'blind'],
])('a Node that cannot be looked for holds nothing up where its server %s', async (_how, change, kind) => {
  expect(await arrivalAt({ phase: 'volume-detach', since: timeAfter(9) }, 10, change)).toBe(kind);
});

const asking = (retryAfterSeconds: number | undefined) => (): never => {
  throw new Unavailable(`asks for ${retryAfterSeconds}`, { retryAfterSeconds });
};

test.each<[what: string, nodes: number | undefined, server: number | undefined, longer: number | undefined]>([
  ['no API asks for any', undefined, undefined, undefined],
  ['that of the server asks for some', undefined, 30, 30],
  ['that of the server asks for more', 10, 30, 30],
  ['that of its Nodes asks for more', 40, 30, 40],
])('so much time is left to APIs where %s', async (_what, nodes, server, longer) => {
  const arrival = await arrived({ since: timeAfter(9) }, 10, ({ management, workload }) => {
    workload.on('list nodes', asking(nodes));
    management.on('get servers/default/m-1', asking(server));
  });
  expect(arrival).toMatchObject({ why: { message: `asks for ${nodes}`, retryAfterSeconds: longer } });
});

test('a mistake of ours is none of that', async () => {
  const mistaken = arrivalAt({ since: timeAfter(9) }, 10, ({ management }) =>
    management.on('get servers/default/m-1', () => {
      throw new TypeError('undefined is not a function');
    }),
  );
  await expect(mistaken).rejects.toThrow(TypeError);
});

test('no time limit is over earlier because a clock that was hours behind has stamped its start', async () => {
  const since = timeAfter(-7_200);
  const reached = since;
  expect(await arrivalAt({ since, reached }, 8)).toBe('blind');
  expect(await arrivalAt({ since, reached }, 9)).toBe('here');
});
