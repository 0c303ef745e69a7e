import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld } from '../builders/world.ts';

// A wait for volumes that had begun before it was handed on.

const since = timeAfter(2);
const volume = 'kubernetes.io/csi/d^1';
const there = { ...pod('ns/slow'), spec: { nodeName: 'node-1' } };

test.each<[what: string, passed: Checkpoint['passed'], deletion: object]>([
  ['for the first time', {}, {}],
  ['that was gone back from', { 'volume-detach': { as: 'done', since } }, {}],
  ['that another controller began', {}, { waitForNodeVolumeDetachStartTime: since }],
])(
  'two clocks do not hand a Machine to and fro at a wait for volumes %s',
  async (_what, passed, deletion) => {
    const at = aCheckpoint({ seq: 1, phase: 'drain', since: timeAfter(1), passed });
    const spec = { deletion: { nodeDrainTimeoutSeconds: 600 } };
    const status = { deletion: { nodeDrainStartTime: timeAfter(1), ...deletion } };
    const { env, time, workload } = aWorld(aRawMachine({ annotations: atCheckpoint(at), spec, status }));
    workload.put('nodes', aNode({ volumesAttached: [volume] }));
    workload.put('pods', there);
    const phasesFrom = async (phase: Phase, seq: number): Promise<Phase[]> => {
      // The time of the drain is over by the one, and not by the other.
      time.now = after(phase === 'drain' ? 602 : 598);
      const { next } = await reconcilePhase(env, phaseFunctions[phase], aCommand({ phase, seq }));
      return next === undefined || seq > 9 ? [phase] : [phase, ...(await phasesFrom(next.phase, next.seq))];
    };
    expect(await phasesFrom('drain', 1)).toEqual(['drain', 'volume-detach']);
  },
);

test('a Pod that was left behind by the clock of whoever has drained is not drained again', async () => {
  const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
  const at = aCheckpoint({ seq: 1, phase: 'volume-detach', since, reached: timeAfter(30), passed });
  const { env, workload } = aWorld(aRawMachine({ annotations: atCheckpoint(at) }));
  workload.put('nodes', aNode({ ready: 'Unknown' }));
  const metadata = { ...there.metadata, deletionTimestamp: timeAfter(20) };
  workload.put('pods', { ...there, metadata });
  const command = aCommand({ phase: 'volume-detach', seq: 1 });
  const { next } = await reconcilePhase(env, phaseFunctions['volume-detach'], command);
  expect(next?.phase).toBe('infrastructure');
});

test('a drain is not over by a clock that was ahead when it handed the Machine on', async () => {
  const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
  const at = aCheckpoint({ seq: 1, phase: 'volume-detach', since, reached: timeAfter(600), passed });
  const spec = { deletion: { nodeDrainTimeoutSeconds: 300 } };
  const { env, workload } = aWorld(aRawMachine({ annotations: atCheckpoint(at), spec }));
  workload.put('nodes', aNode({ volumesAttached: [volume] }));
  workload.put('pods', there);
  const { next } = await reconcilePhase(
    env,
    phaseFunctions['volume-detach'],
    aCommand({ phase: 'volume-detach', seq: 1 }),
  );
  expect(next?.phase).toBe('drain');
});
