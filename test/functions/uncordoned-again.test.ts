import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../builders/world.ts';

// Somebody has uncordoned the Node since it was drained. No Pod has come yet, and a server takes its time to go.

const done = (seconds: number) => ({ as: 'done', since: timeAfter(seconds) }) as const;
const drained = { drain: done(1) };
const awaited = { ...drained, 'volume-detach': done(2) };
const excludedDrain = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const volumesAttached = ['kubernetes.io/csi/d^1'];
const server = 'delete servers/default/m-1';

interface Given {
  checkpoint: Partial<Checkpoint> & { phase: Phase };
  annotations?: Record<string, string>;
  /** `spec.deletion`. */
  limits?: object;
  node?: Parameters<typeof aNode>[0];
  /** After the deletion; ten unless given. */
  seconds?: number;
}

function uncordoned({ checkpoint, annotations, limits = {}, node = {}, seconds = 10 }: Given): World {
  const at = aCheckpoint({ seq: 3, since: timeAfter(9), ...checkpoint });
  const world = aWorld(
    aRawMachine({ annotations: atCheckpoint(at, annotations), spec: { deletion: limits } }),
  );
  world.workload.put('nodes', aNode({ unschedulable: false, ...node }));
  world.time.now = after(seconds);
  return world;
}

const step = ({ env }: World, phase: Phase, seq = 3) =>
  reconcilePhase(env, phaseFunctions[phase], aCommand({ phase, seq }));

test.each<[what: string, given: Given, phase: Phase]>([
  ['with nothing attached', { checkpoint: { phase: 'volume-detach', passed: drained } }, 'drain'],
  [
    'with volumes attached',
    { checkpoint: { phase: 'volume-detach', passed: drained }, node: { volumesAttached } },
    'drain',
  ],
  [
    'that nobody hears from, and may hear from again',
    { checkpoint: { phase: 'volume-detach', passed: drained }, node: { ready: 'Unknown' } },
    'drain',
  ],
  [
    'that was never cordoned, and whose Machine is not excluded from drains any more',
    {
      checkpoint: {
        phase: 'volume-detach',
        passed: { drain: { as: 'excluded', since: timeAfter(1) } },
      },
    },
    'drain',
  ],
  [
    'whose server was to be deleted long before',
    { checkpoint: { phase: 'infrastructure', passed: awaited }, seconds: 45 },
    'drain',
  ],
  [
    'that was uncordoned again long after it was gone back for that',
    {
      checkpoint: {
        phase: 'volume-detach',
        since: timeAfter(2),
        reached: timeAfter(2),
        passed: awaited,
      },
      seconds: 38,
    },
    'drain',
  ],
])('a Node %s is cordoned again before its server goes', async (_what, given, phase) => {
  const world = uncordoned(given);
  const { next, facts } = await step(world, given.checkpoint.phase);
  expect(next?.phase).toBe(phase);
  expect(facts).toMatchObject([{ message: 'Pods may be scheduled onto the Node again' }]);
  expect(world.log).not.toContain(server);
});

test('the drain that is gone back to cordons it', async () => {
  const world = uncordoned({ checkpoint: { phase: 'volume-detach', passed: drained } });
  await step(world, 'volume-detach');
  expect((await step(world, 'drain', 4)).next).toMatchObject({ phase: 'volume-detach' });
  expect(world.workload.at('nodes/node-1')).toMatchObject({ spec: { unschedulable: true } });
});

test.each<[what: string, given: Given, change?: (world: World) => void]>([
  [
    'whose Machine is excluded from drains',
    { checkpoint: { phase: 'volume-detach', passed: drained }, annotations: excludedDrain },
  ],
  [
    'whose time to be drained is over',
    {
      checkpoint: { phase: 'volume-detach', passed: drained },
      limits: { nodeDrainTimeoutSeconds: 5 },
    },
  ],
  [
    'that somebody has uncordoned at once after it was gone back for that: nobody fights with him',
    { checkpoint: { phase: 'volume-detach', passed: awaited } },
  ],
  [
    'that somebody has uncordoned after it was gone back for that, maybe at once by another clock',
    {
      checkpoint: { phase: 'volume-detach', passed: awaited },
      seconds: 44,
    },
  ],
  [
    'whose server is on its way',
    { checkpoint: { phase: 'volume-detach', passed: drained } },
    ({ management }) =>
      management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(5) } }),
  ],
])('a Node %s is left as it is', async (_what, given, change = () => undefined) => {
  const world = uncordoned(given);
  change(world);
  expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
});

test.each([
  ['a moment ago', 11],
  ['lately, which may have been a moment ago by another clock', 44],
])('a Node whose server was to be deleted %s is left as it is', async (_when, seconds) => {
  const world = uncordoned({ checkpoint: { phase: 'infrastructure', passed: awaited }, seconds });
  await step(world, 'infrastructure');
  expect(world.log).toContain(server);
});
