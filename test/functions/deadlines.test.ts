import { describe, expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { volumeDetach } from '../../functions/volume-detach.ts';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// Ten seconds after the deletion began. A step's own time is counted from the step's own beginning.

const limits = {
  nodeDrainTimeoutSeconds: 5,
  nodeVolumeDetachTimeoutSeconds: 5,
  nodeDeletionTimeoutSeconds: 5,
};

/** Each phase has something to wait for. */
function standingAt(phase: Phase, since: string): World {
  const passed = { drain: { as: 'done' as const, since: timeAfter(0) } };
  const earlier = phase === 'drain' ? {} : { passed };
  const checkpoint = aCheckpoint({ seq: 1, phase, since, reached: since, node: 'node-uid-1', ...earlier });
  const world = aWorld(
    aRawMachine({
      annotations: atCheckpoint(checkpoint),
      spec: { deletion: limits },
      status: {
        deletion: { nodeDrainStartTime: since, waitForNodeVolumeDetachStartTime: since },
        conditions: [{ type: 'Deleting', status: 'True', reason: 'DeletingNode' }],
      },
    }),
  );
  const node = aNode({ volumesAttached: phase === 'drain' ? [] : ['kubernetes.io/csi/d^1'] });
  world.workload.put('nodes', node);
  const refused = { kind: 'refused', code: 403, message: 'no' } as const;
  if (phase === 'node') Object.assign(world.workload, { delete: async () => refused });
  if (phase === 'drain') world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  return world;
}

const step = ({ env }: World, phase: Phase) =>
  reconcilePhase(env, phaseFunctions[phase], aCommand({ phase }));

test.each<Phase>(['drain', 'volume-detach', 'node'])(
  'a %s that began 4 s ago has a second left of its 5, however old the deletion is',
  async (phase) => {
    const world = standingAt(phase, timeAfter(6));
    expect((await step(world, phase)).next).toBeUndefined();
    expect(savedCheckpoint(world)).toMatchObject({ phase, seq: 1 });
  },
);

test.each<Phase>(['drain', 'volume-detach', 'node'])(
  'a %s that began 5 s ago is passed as timed out',
  async (phase) => {
    const world = standingAt(phase, timeAfter(5));
    expect((await step(world, phase)).next).toBeDefined();
    expect(savedCheckpoint(world)).toMatchObject({ seq: 2, passed: { [phase]: { as: 'timed-out' } } });
  },
);

describe('after a failure, in a phase that began 9 s ago, it is looked again', () => {
  const now = after(10);
  const failure = { message: 'a rule is not valid' };

  test.each<[when: string, limit: number, seconds: number]>([
    ['when its time of 12 s is over', 12, 3],
    ['after 20 s, where it has 60 s', 60, 20],
    ['after 20 s, where it has no limit', 0, 20],
    ['after 20 s, where its time has been over for a moment', 9, 20],
  ])('%s', (_when, limit, seconds) => {
    const machine = { drainTimeoutSeconds: limit, volumeDetachTimeoutSeconds: limit };
    const again = { until: [{ kind: 'time', at: now + seconds * 1_000 }], requeueAfterSeconds: seconds };
    const draining = aSubject({ machine });
    expect(drain.decide(draining, { kind: 'unjudged', node: aNode(), failure }, now)).toMatchObject(again);
    const detaching = aSubject({ machine, phase: 'volume-detach' });
    expect(volumeDetach.decide(detaching, { kind: 'unjudged', failure }, now)).toMatchObject(again);
  });
});
