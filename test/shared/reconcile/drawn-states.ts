import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { atCheckpoint, aWorld, type World } from '../../builders/world.ts';
import type { Random } from '../../simulation/random.ts';

/** Those between which a deletion may go back, in their order. */
const phases = ['drain', 'volume-detach', 'pre-terminate', 'infrastructure'] as const satisfies Phase[];

/** A Machine of Cluster API at some point of its deletion. No order of events need lead there. */
export function drawStanding(random: Random): World {
  const seconds = random.oneOf([12, 30, 70, 700]);
  const checkpoint = drawCheckpoint(random.fork('checkpoint'), seconds);
  const annotations = atCheckpoint(checkpoint, drawAnnotations(random.fork('annotations')));
  const spec = { deletion: drawLimits(random.fork('limits'), seconds) };
  const world = aWorld(aRawMachine({ annotations, spec, status: drawStatus(random.fork('status')) }));
  world.time.now = after(seconds);
  drawNode(world, random.fork('Node'));
  drawServer(world, random.fork('server'));
  return world;
}

function drawCheckpoint(random: Random, seconds: number): Checkpoint {
  const phase = random.oneOf(phases);
  const times = [2, seconds - 8, seconds - 3, seconds, seconds + 20];
  const passed: Checkpoint['passed'] = {};
  for (const before of phases.slice(0, phases.indexOf(phase)))
    passed[before] = { as: howPassed(random, before), since: timeAfter(random.oneOf([1, 5, seconds - 8])) };
  // It was come back from.
  if (phase === 'drain' && random.chance(0.4))
    passed['volume-detach'] = { as: howPassed(random, 'volume-detach'), since: timeAfter(5) };
  return aCheckpoint({
    seq: 1,
    phase,
    since: timeAfter(random.oneOf(times)),
    ...(random.chance(0.3) ? { reached: timeAfter(random.oneOf(times)) } : {}),
    ...(random.chance(0.5) ? { node: 'node-uid-1' } : {}),
    passed,
  });
}

const howPassed = (random: Random, phase: Phase) =>
  phase === 'pre-terminate'
    ? 'not-applicable'
    : random.oneOf(['done', 'done', 'excluded', 'timed-out', 'not-applicable'] as const);

const drawAnnotations = (random: Random): Record<string, string> => ({
  ...(random.chance(0.2) && { 'machine.cluster.x-k8s.io/exclude-node-draining': '' }),
  ...(random.chance(0.3) && { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' }),
  ...(random.chance(0.1) && { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '' }),
});

function drawLimits(random: Random, seconds: number): object {
  const limits = [5, seconds - 3, seconds, seconds + 3, 600];
  return {
    ...(random.chance(0.5) && { nodeDrainTimeoutSeconds: random.oneOf(limits) }),
    ...(random.chance(0.5) && { nodeVolumeDetachTimeoutSeconds: random.oneOf(limits) }),
  };
}

const drawStatus = (random: Random): Record<string, unknown> => ({
  ...(random.chance(0.2) && { nodeRef: undefined }),
  deletion: {
    ...(random.chance(0.6) && { nodeDrainStartTime: timeAfter(1) }),
    ...(random.chance(0.5) && { waitForNodeVolumeDetachStartTime: timeAfter(2) }),
  },
});

function drawNode({ workload, management }: World, random: Random): void {
  if (random.chance(0.1)) workload.drop('nodes/node-1');
  else
    workload.put(
      'nodes',
      aNode({
        unschedulable: random.chance(0.7),
        ready: random.chance(0.15) ? 'Unknown' : 'True',
        volumesAttached: random.chance(0.5) ? ['kubernetes.io/csi/d^1'] : [],
      }),
    );
  const there = { ...pod('ns/there'), spec: { nodeName: 'node-1' } };
  const deletionTimestamp = timeAfter(random.oneOf([5, 20, 60]));
  if (random.chance(0.6))
    workload.put(
      'pods',
      random.chance(0.3) ? { ...there, metadata: { ...there.metadata, deletionTimestamp } } : there,
    );
  if (random.chance(0.1))
    management.put('machinedrainrules', {
      metadata: { namespace: 'default', name: 'odd' },
      spec: { drain: { behavior: 'Evict' } },
    });
}

function drawServer({ management }: World, random: Random): void {
  const number = random.between(1, 10);
  if (number === 1) management.drop('servers/default/m-1');
  if (number === 2)
    management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(3) } });
}
