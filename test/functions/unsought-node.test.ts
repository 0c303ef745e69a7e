import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../builders/world.ts';

const limits = { nodeDrainTimeoutSeconds: 60, nodeVolumeDetachTimeoutSeconds: 60 };
const undrained = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const attachedStill = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

/** It has no nodeRef. Its Node is in use, with a Pod and a volume, and the next lists of Nodes fail. */
function aMachine(failures: number, annotations: Record<string, string> = {}): World {
  const world = aWorld(
    aRawMachine({ annotations, spec: { deletion: limits }, status: { nodeRef: undefined } }),
  );
  const volumesAttached = ['kubernetes.io/csi/x^1'];
  world.workload.put('nodes', aNode({ unschedulable: false, volumesAttached }));
  world.workload.put('pods', { ...pod('shop/a'), spec: { nodeName: 'node-1' } });
  world.workload.on('list nodes', noAnswer, failures);
  return world;
}

/** Its step at that time, and what follows at once; answers with what is to come. */
async function step(world: World, seconds: number, command: Advance): Promise<Advance> {
  world.time.now = after(seconds);
  for (;;) {
    const { next } = await reconcilePhase(world.env, phaseFunctions[command.phase], command);
    if (next === undefined) return command;
    command = next;
  }
}

/** Handed on after a second, and held up for ten minutes before anybody tried it. */
test.each<[what: string, at: Partial<Checkpoint>, annotations: Record<string, string>]>([
  ['a drain', { phase: 'drain' }, attachedStill],
  [
    'a wait for volumes',
    { phase: 'volume-detach', passed: { drain: { as: 'excluded', since: timeAfter(1) } } },
    undrained,
  ],
])(
  '%s whose time begins only now does not end because its Node cannot be looked for',
  async (_what, at, annotations) => {
    const saved = aCheckpoint({ ...at, since: timeAfter(1) });
    const world = aMachine(1, atCheckpoint(saved, annotations));
    await step(world, 600, aCommand({ phase: saved.phase }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: saved.phase });
    expect(world.log).not.toContain('delete servers/default/m-1');
  },
);

test('nor does one that a late hook has held, however often its Node was looked for meanwhile', async () => {
  const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/late';
  const world = aMachine(
    3,
    atCheckpoint(aCheckpoint({ since: timeAfter(1) }), { ...attachedStill, [hook]: '' }),
  );
  for (const seconds of [10, 15]) await step(world, seconds, aCommand());
  world.management.change(machinePath, { metadata: { annotations: { [hook]: null } } });
  await step(world, 600, aCommand());
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
  expect(world.log).not.toContain('delete servers/default/m-1');
});

test.each([
  ['was found late', 1],
  ['was handed on just now', 598],
])('where it can never be looked for no limit lasts for ever, of a drain that %s', async (_what, since) => {
  const world = aMachine(Infinity, atCheckpoint(aCheckpoint({ since: timeAfter(since) })));
  let command = aCommand();
  for (let seconds = 600; command.phase !== 'infrastructure' && seconds < 1_000; seconds += 5)
    command = await step(world, seconds, command);
  expect(savedCheckpoint(world)).toMatchObject({
    phase: 'infrastructure',
    passed: { drain: { as: 'timed-out' }, 'volume-detach': { as: 'timed-out' } },
  });
});

const pausing = (value: string | null) => ({
  metadata: { annotations: { 'cluster.x-k8s.io/paused': value } },
});

test('a deletion does not begin without its Node for a pause in which nobody looked for it', async () => {
  const world = aMachine(3);
  const command = aCommand({ seq: 0 });
  await step(world, 10, command);
  await step(world, 15, command);
  world.management.change(machinePath, pausing(''));
  await step(world, 18, command);
  world.management.change(machinePath, pausing(null));
  await step(world, 618, command);
  expect(world.log).not.toContain('delete servers/default/m-1');
  await step(world, 623, command);
  expect(world.workload.at('pods/shop/a')?.metadata.deletionTimestamp).toBeDefined();
});
