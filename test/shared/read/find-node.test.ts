import { expect, test } from 'vitest';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { load } from '../../../shared/reconcile/load.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

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

interface Circumstances {
  seconds?: number;
  change?: (world: World) => void;
  annotations?: Record<string, string>;
}

/** A Machine without a nodeRef stands there, so many seconds after, and the Nodes cannot be listed. */
function unlisted(at: Checkpoint, { seconds = 10, change, annotations }: Circumstances): World {
  const world = aWorld(
    aRawMachine({
      annotations: atCheckpoint(at, annotations),
      spec: { deletion: limits },
      status: { nodeRef: undefined },
    }),
  );
  world.time.now = after(seconds);
  change?.(world);
  world.workload.on('list nodes', noAnswer);
  return world;
}

/** The phase that its step leads to, or the report of its wait. */
async function step(checkpoint: Partial<Checkpoint>, circumstances: Circumstances = {}) {
  const at = aCheckpoint(checkpoint);
  const world = unlisted(at, circumstances);
  const { phase } = at;
  const { next } = await reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase }));
  return { goesOn: next?.phase ?? deletingCondition(world), world };
}

const waits = { reason: 'InternalError', message: 'no answer' };
const seen: Partial<Checkpoint> = { node: 'node-uid-1', passed: drainedAt(1) };
const began = { since: timeAfter(1), reached: timeAfter(1) };

test.each<[what: string, checkpoint: Partial<Checkpoint>, goesOn: string | object]>([
  ['hooks before the drain', { phase: 'pre-drain' }, waits],
  ['a drain', { since: timeAfter(2) }, waits],
  ['a drain whose time is over', { since: timeAfter(1), reached: timeAfter(0) }, 'volume-detach'],
  ['a drain that nothing has tried', { since: timeAfter(1) }, waits],
  ['volumes', { phase: 'volume-detach', since: timeAfter(2), passed: drainedAt(1) }, waits],
  [
    'volumes whose time is over',
    { phase: 'volume-detach', ...began, passed: drainedAt(2) },
    { ...waits, message: 'what is on the Node now is unknown: no answer' },
  ],
  [
    'volumes whose time is over as that of the drain is',
    { phase: 'volume-detach', ...began, passed: drainedAt(1) },
    'infrastructure',
  ],
  ['the deletion of a Node', { phase: 'node', ...seen, since: timeAfter(2) }, waits],
  ['the deletion of a Node that nothing has tried', { phase: 'node', ...seen, since: timeAfter(1) }, waits],
  ['the deletion of a Node whose time is over', { phase: 'node', ...seen, ...began }, 'finalize'],
  ['the deletion of a Node that was never seen', { phase: 'node' }, 'finalize'],
])('where a Node cannot be looked for, of %s: %o %o', async (_what, checkpoint, goesOn) => {
  expect((await step(checkpoint)).goesOn).toEqual(goesOn);
});

test('a Node that could not be looked for in time is left behind, and that is told', async () => {
  const { world } = await step({ phase: 'node', ...seen, ...began });
  expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'not-applicable' } } });
  const { items } = await world.management.list({ group: '', version: 'v1', plural: 'events' });
  const message = "error deleting Machine's Node: error deleting node of unknown name: no answer";
  expect(items).toMatchObject([{ message }]);
});

test.each([
  ['is to be deleted', seen, true],
  ['was never seen', {}, false],
])('a Node that %s cannot be looked for while its bootstrap config goes', async (_what, known, allowed) => {
  const at = aCheckpoint({ phase: 'bootstrap', since: timeAfter(1), ...known });
  const arrival = await load(unlisted(at, {}).env, at.phase, aCommand({ phase: at.phase }), false);
  expect(arrival).toMatchObject({ arrived: { subject: { nodeDeletion: { allowed } } } });
});

const annotations = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/own': '' };
const held = expect.objectContaining({ reason: 'WaitingForPreDrainHook' });
const failServer = ({ management }: World): void => management.on('get servers/default/m-1', noAnswer, 9);
const dropServer = ({ management }: World): void => management.drop('servers/default/m-1');
const passed = drainedAt(2);

test.each<[what: string, checkpoint: Partial<Checkpoint>, change: (world: World) => void, goesOn: unknown]>([
  ['pre-terminate hooks', { phase: 'pre-terminate', node: 'node-uid-1' }, () => undefined, held],
  ['the end of its server', { phase: 'infrastructure', node: 'node-uid-1' }, () => undefined, held],
  ['nothing where no Node was ever seen', { phase: 'pre-terminate' }, () => undefined, 'infrastructure'],
  [
    'nothing where its server is gone',
    { phase: 'infrastructure', node: 'node-uid-1' },
    dropServer,
    'bootstrap',
  ],
])('a hook before the drain that came late holds up %s', async (_what, checkpoint, change, goesOn) => {
  expect((await step({ passed, ...checkpoint }, { change, annotations })).goesOn).toEqual(goesOn);
});

test.each<[string, (world: World) => void, string | object]>([
  ['is gone', dropServer, 'infrastructure'],
  [
    'is going',
    ({ management }) =>
      management.change('servers/default/m-1', {
        metadata: { deletionTimestamp: timeAfter(5), finalizers: ['example.com/x'] },
      }),
    'infrastructure',
  ],
  ['cannot be read', failServer, waits],
])('a Node that cannot be looked for holds nothing up where its server %s', async (_how, change, goesOn) => {
  expect((await step({ phase: 'volume-detach', since: timeAfter(9) }, { change })).goesOn).toEqual(goesOn);
});

test('no time limit starts while its server cannot be read either', async () => {
  const since = timeAfter(1);
  expect(savedCheckpoint((await step({ since })).world)).toMatchObject({ reached: since });
  expect(savedCheckpoint((await step({ since }, { change: failServer })).world)).not.toHaveProperty(
    'reached',
  );
});

const asking = (retryAfterSeconds: number | undefined) => (): never => {
  throw new Unavailable('no answer', { retryAfterSeconds });
};

test.each<[what: string, nodes: number | undefined, server: number | undefined, seconds: number]>([
  ['no API asks for any', undefined, undefined, 5],
  ['that of the server asks for some', undefined, 30, 30],
  ['that of the server asks for more', 10, 30, 30],
  ['that of its Nodes asks for more', 40, 30, 40],
])('so much time is left to APIs where %s', async (_what, nodes, server, seconds) => {
  const { goesOn, world } = await step(
    { since: timeAfter(9) },
    {
      change({ management, workload }) {
        workload.on('list nodes', asking(nodes));
        management.on('get servers/default/m-1', asking(server), 9);
      },
    },
  );
  expect(goesOn).toEqual(waits);
  expect(await world.env.store.due(after(99), 1)).toMatchObject([{ at: after(10 + seconds) }]);
});

test('nothing is held up where the Cluster is being deleted', async () => {
  const metadata = { deletionTimestamp: timeAfter(5), finalizers: ['example.com/x'] };
  const change = ({ management }: World) => management.change('clusters/default/c', { metadata });
  expect((await step({ since: timeAfter(2) }, { change })).goesOn).toBe('infrastructure');
});

test('a mistake of ours is none of that', async () => {
  const mistaken = step(
    { since: timeAfter(9) },
    {
      change: ({ management }) =>
        management.on('get servers/default/m-1', () => {
          throw new TypeError('undefined is not a function');
        }),
    },
  );
  await expect(mistaken).rejects.toThrow(TypeError);
});

test('no time limit is over earlier because a clock that was hours behind has stamped its start', async () => {
  const early = { since: timeAfter(-7_200), reached: timeAfter(-7_200) };
  expect((await step(early, { seconds: 8 })).goesOn).toEqual(waits);
  expect((await step(early, { seconds: 9 })).goesOn).toBe('volume-detach');
});
