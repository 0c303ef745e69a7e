import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { runPhase } from '../../shared/runtime/run-phase.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld } from '../builders/world.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../shared/dialects/capi/machines.ts';
import { pod } from '../shared/drain/build.ts';

// The time of a drain is over by the clock of whoever drains, and not by that of whoever waits for volumes.

const since = timeAfter(2);

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
    workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
    workload.put('pods', { ...pod('ns/slow'), spec: { nodeName: 'node-1' } });
    const phasesFrom = async (phase: Phase, seq: number): Promise<Phase[]> => {
      time.now = after(phase === 'drain' ? 602 : 598);
      const { next } = await runPhase(env, phaseFunctions[phase], aCommand({ phase, seq }));
      return next === undefined || seq > 9 ? [phase] : [phase, ...(await phasesFrom(next.phase, next.seq))];
    };
    expect(await phasesFrom('drain', 1)).toEqual(['drain', 'volume-detach']);
  },
);
