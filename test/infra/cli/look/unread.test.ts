import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import type { DeletionPlan } from '../../../../shared/plan/deletion-plan.ts';
import { aMachine, aNode, anAwsMachine, aPod } from '../../../builders/dump.ts';
import { anOutside, parsed } from '../outside.ts';
import { aGuardedCluster, type Rights } from './guarded.ts';

const cluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'blue', namespace: 'fleet', uid: 'cluster-blue' },
  spec: {},
};
const controlPlane = aMachine('cp', {
  metadata: {
    labels: { 'cluster.x-k8s.io/cluster-name': 'blue', 'cluster.x-k8s.io/control-plane': '' },
  },
});
const ofManagement = [
  'get list machines.cluster.x-k8s.io',
  'get clusters.cluster.x-k8s.io',
  'list machinedrainrules.cluster.x-k8s.io',
  'list deletionhooks.phaseout.dev',
  'list drainpolicies.phaseout.dev',
  'get awsmachines.infrastructure.cluster.x-k8s.io',
];
const ofWorkload = [
  'get list nodes',
  'list pods',
  'get namespaces',
  'get replicasets.apps',
  'list poddisruptionbudgets.policy',
  'list persistentvolumes',
  'list volumeattachments.storage.k8s.io',
];

const without = (rights: readonly string[], resource: string): string[] =>
  rights.filter((right) => !right.includes(resource));

/** The plan of a Machine whose Node is in another cluster, as the user viewer gets it. */
async function planAs(management: Rights, workload: Rights, ...more: string[]) {
  const { outside, written, folder } = await anOutside();
  const there = await aGuardedCluster(
    [aNode('a'), aPod('web-1', 'a', { kind: 'ReplicaSet', name: 'web' })],
    workload,
    { folder, name: 'there' },
  );
  const here = await aGuardedCluster([cluster, controlPlane, aMachine('a'), anAwsMachine('a')], management, {
    folder,
    name: 'here',
    elsewhere: new Map([['fleet/blue', there.url]]),
  });
  const args = ['plan', 'fleet/a', '--kubeconfig', here.kubeconfig, ...more, '-o', 'json'];
  const workloadFile = join(folder, 'there.kubeconfig');
  const code = await main(
    args.map((arg) => arg.replace('THERE', workloadFile)),
    outside,
  );
  const plan = code === 0 ? parsed<DeletionPlan & { unread: string[] }>(written.stdout) : undefined;
  return { code, plan, stderr: written.stderr, asked: [...here.asked, ...there.asked] };
}

const why = (plan: DeletionPlan | undefined, phase: string) =>
  plan?.phases
    .filter((each) => each.phase === phase)
    .map(({ does, why: because }) => `${does}: ${because}`)[0];

const there = ['--workload-kubeconfig', 'THERE'];

describe('a plan as a user who may read some of it', () => {
  it('is whole where all may be read, and asks for no Secret where the user has a way to the Nodes', async () => {
    const { plan, asked } = await planAs(ofManagement, ofWorkload, ...there);
    expect(plan?.unread).toEqual([]);
    expect(why(plan, 'drain')).toBe('work: 1 Pod has to go, in 1 batch');
    expect(asked.map(({ resource }) => resource)).not.toContain('secrets');
  });

  it('knows nothing of the Node where neither the Secret may be read nor another way is given', async () => {
    const { code, plan } = await planAs(ofManagement, ofWorkload);
    const unread = 'not read: secrets fleet/blue-kubeconfig: forbidden for user viewer';
    expect(code).toBe(0);
    expect(plan?.unread).toEqual([unread]);
    expect(why(plan, 'drain')).toBe(`unknown: ${unread}`);
    expect(why(plan, 'volume-detach')).toBe(`unknown: ${unread}`);
    expect(why(plan, 'node')).toBe(`unknown: ${unread}`);
    expect(why(plan, 'infrastructure')).toBe('work: AWSMachine a is deleted');
  });

  it.each([
    ['pods', 'drain', 'not read: pods in the workload cluster fleet/blue: forbidden for user viewer'],
    ['nodes', 'node', 'not read: nodes a in the workload cluster fleet/blue: forbidden for user viewer'],
    [
      'volumeattachments',
      'volume-detach',
      'not read: volumeattachments.storage.k8s.io in the workload cluster fleet/blue: forbidden for user viewer',
    ],
  ])('that may not read %s is unknown for the phase %s, and says why', async (resource, phase, unread) => {
    const { code, plan } = await planAs(ofManagement, without(ofWorkload, resource), ...there);
    expect(code).toBe(0);
    expect(why(plan, phase)).toBe(`unknown: ${unread}`);
    expect(plan?.unread).toContain(unread);
  });

  it('says what rests on budgets that may not be read', async () => {
    const { plan } = await planAs(ofManagement, without(ofWorkload, 'poddisruptionbudgets'), ...there);
    expect(plan?.unsure).toEqual([
      'what budgets would refuse is unknown: not read: poddisruptionbudgets.policy in namespace shop in the workload cluster fleet/blue: forbidden for user viewer',
    ]);
  });

  it('says what rests on a Cluster that may not be read', async () => {
    const { code, plan, stderr } = await planAs(without(ofManagement, ' clusters.'), ofWorkload, ...there);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(plan?.unsure).toEqual([
      'whether it is paused, and whether its Node may be touched, is unknown: not read: clusters.cluster.x-k8s.io fleet/blue: forbidden for user viewer',
    ]);
  });

  it('does not know what becomes of an infrastructure object that may not be read', async () => {
    const { plan, stderr } = await planAs(without(ofManagement, 'awsmachines'), ofWorkload, ...there);
    expect(stderr).toBe('');
    const unread = 'not read: awsmachines.infrastructure.cluster.x-k8s.io fleet/a: forbidden for user viewer';
    expect(why(plan, 'infrastructure')).toBe(`unknown: ${unread}`);
  });

  it('fails where the Machine itself may not be read', async () => {
    const { code, stderr } = await planAs([], ofWorkload, ...there);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'phaseout: not read: machines.cluster.x-k8s.io fleet/a: forbidden for user viewer\n',
    });
  });
});
