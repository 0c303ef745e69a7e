import { expect, test } from 'vitest';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { aCommand, aRival, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';
import { planOf } from './plans.ts';

const server = 'servers/default/m-1';

interface Given {
  node?: Parameters<typeof aNode>[0];
  /** `spec.deletion`. */
  limits?: object;
  annotations?: Record<string, string>;
}

/** A Machine with a Pod that has to go and one that stays, in this phase since some seconds. */
function midway(
  checkpoint: Partial<Checkpoint>,
  { node, limits = {}, annotations: others = {} }: Given = {},
): World {
  const annotations = atCheckpoint(aCheckpoint(checkpoint), others);
  // Its step has been tried since it was reached.
  const tried = { nodeDrainStartTime: checkpoint.since };
  const world = aWorld(aRawMachine({ annotations, spec: { deletion: limits }, status: { deletion: tried } }));
  world.workload.put('nodes', aNode(node));
  if (node?.providerID === 'x://other') world.management.put('machines', aRival());
  for (const each of [pod('ns/goes'), pod('ns/stays', { labels: { 'cluster.x-k8s.io/drain': 'skip' } })])
    world.workload.put('pods', { ...each, spec: { nodeName: 'node-1' } });
  return world;
}

const deeds: Partial<Record<Phase, string>> = {
  infrastructure: `delete ${server}`,
  bootstrap: 'delete configs/default/m-1',
  node: 'delete nodes/node-1',
  finalize: `json-patch ${machinePath}`,
};

const planned = ({ batches, phases }: DeletionPlan): string[] => [
  ...batches.flatMap(({ pods }) => pods).map((name) => `evict pods/${name}`),
  ...phases.flatMap(({ phase, does }) => (does === 'work' ? (deeds[phase] ?? []) : [])),
];

/** All that is waited for: Pods and the server go, volumes come off. */
function comeToPass({ log, workload, management }: World): void {
  for (const line of log) if (line.startsWith('evict ')) workload.drop(line.slice('evict '.length));
  if (log.includes(`delete ${server}`)) management.drop(server);
  if (workload.at('nodes/node-1') !== undefined)
    workload.change('nodes/node-1', { status: { volumesAttached: [] } });
}

/** Runs the deletion to its end; what it waits for comes to pass within 20 s. */
async function done(world: World, from: Partial<Checkpoint>): Promise<string[]> {
  let command = aCommand({ phase: from.phase ?? 'drain', seq: from.seq ?? 1 });
  for (let steps = 0; steps < 20 && world.management.at(machinePath) !== undefined; steps += 1) {
    const { next } = await reconcilePhase(world.env, phaseFunctions[command.phase], command);
    if (next !== undefined) {
      command = next;
      continue;
    }
    comeToPass(world);
    world.time.now += 20_000;
  }
  return world.log.filter((line) => /^(?:evict|delete|json-patch) /.test(line));
}

const since = timeAfter(9);
const drained = { drain: { as: 'done', since: timeAfter(1) } } as const;
const detaching = { phase: 'volume-detach', since, passed: drained } as const;
const excluded = {
  'machine.cluster.x-k8s.io/exclude-node-draining': '',
  'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
};
const volumesAttached = ['kubernetes.io/csi/d^1'];

test.each<[from: string, checkpoint: Partial<Checkpoint>, given?: Given]>([
  ['the pre-drain hooks', { phase: 'pre-drain', since }],
  ['the drain', { since }],
  ['a drain whose time is over', { since: timeAfter(1) }, { limits: { nodeDrainTimeoutSeconds: 9 } }],
  ['the volumes', detaching],
  ['the volumes, of which one is attached', detaching, { node: { volumesAttached } }],
  ['the volumes of a Node that was uncordoned', detaching, { node: { unschedulable: false } }],
  [
    'the volumes after a drain that has timed out',
    { ...detaching, since: timeAfter(4), passed: { drain: { as: 'timed-out', since: timeAfter(1) } } },
    { node: { unschedulable: false, volumesAttached } },
  ],
  [
    'the volumes where the time of the drain is over',
    detaching,
    { node: { unschedulable: false }, limits: { nodeDrainTimeoutSeconds: 9 } },
  ],
  ['the pre-terminate hooks', { phase: 'pre-terminate', since }],
  ['the infrastructure', { phase: 'infrastructure', since, passed: drained, node: 'node-uid-1' }],
  ['the bootstrap config', { phase: 'bootstrap', since, passed: drained, node: 'node-uid-1' }],
  ['the Node', { phase: 'node', since, passed: drained, node: 'node-uid-1' }],
  ['a Node of that name that is another one', { phase: 'node', since, passed: drained, node: 'node-uid-0' }],
  ['a Node of another server', { phase: 'node', since }, { node: { providerID: 'x://other' } }],
  [
    'the infrastructure, where nobody has seen that the Node is of another server',
    { phase: 'infrastructure', since, passed: drained },
    { node: { providerID: 'x://other' } },
  ],
  [
    'a drain that is excluded, of a Node of another server',
    { phase: 'pre-drain', since },
    { node: { providerID: 'x://other' }, annotations: excluded },
  ],
  [
    'a drain whose time is over, of a Node of another server',
    { since: timeAfter(1) },
    { node: { providerID: 'x://other' }, limits: { nodeDrainTimeoutSeconds: 9 } },
  ],
  [
    'the volumes of a Node of another server, after a drain that has timed out',
    { ...detaching, since: timeAfter(4), passed: { drain: { as: 'timed-out', since: timeAfter(1) } } },
    { node: { providerID: 'x://other' } },
  ],
  ['a drain of a Node of another server', { since }, { node: { providerID: 'x://other' } }],
  ['a Node that is going', { phase: 'node', since }, { node: { deletionTimestamp: timeAfter(5) } }],
  ['the end', { phase: 'finalize', since, passed: drained, node: 'node-uid-1' }],
])('from %s on what is planned is what is then done', async (_from, checkpoint, given) => {
  const plan = await planOf(midway(checkpoint, given));
  expect(await done(midway(checkpoint, given), checkpoint)).toEqual(planned(plan));
});
