import { describe, expect, it } from 'vitest';
import { type RemoveOptions, remove } from '../../../../infra/cli/remove/remove.ts';
import type { JsonPatchOperation } from '../../../../shared/kubernetes/client.ts';
import { configMap, ours, someObjects } from '../deploy/installation.ts';
import { aCluster, type Cluster, siteAt } from '../deploy/knative-cluster.ts';
import { aMachine } from '../deploy/machine.ts';

const machines = 'machines.cluster.x-k8s.io';
const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
const blueHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout-blue';
const hooked = { [hook]: 'phaseout.dev' };

/** An installation beside Cluster API's own controller. */
async function besides(variables: Record<string, string> = {}): Promise<Cluster> {
  const cluster = await aCluster();
  const others = someObjects.filter(({ kind }) => kind !== 'ConfigMap');
  const settings = configMap({ PHASEOUT_MODE: 'capi:beside', ...variables });
  for (const object of [...others, settings, ours('v1', 'ServiceAccount', 'phaseout')])
    cluster.apiServer.restore(object);
  return cluster;
}

const annotationsOf = ({ cluster }: Cluster, name: string) =>
  cluster.get(machines, 'fleet', name)?.metadata.annotations ?? {};

const isThere = ({ cluster }: Cluster, resource: string): boolean => cluster.list(resource).length > 0;
const services = 'services.serving.knative.dev';
const accounts = 'serviceaccounts';

const how: RemoveOptions = { namespace: 'phaseout', abandon: false, withData: false };

describe('beside Cluster API’s own controller', () => {
  it('hooks go off living Machines and off those that are being deleted, and these hold nothing up', async () => {
    const cluster = await besides();
    aMachine(cluster, 'living', { isDeleted: false, annotations: hooked });
    aMachine(cluster, 'going', { annotations: { ...hooked, 'phaseout.dev/checkpoint': '{}' } });
    aMachine(cluster, 'blue', { isDeleted: false, annotations: { [blueHook]: 'phaseout.dev' } });
    const { site, told } = siteAt(cluster);
    expect(await remove(site, how)).toBe('done');
    expect(annotationsOf(cluster, 'living')).toEqual({});
    expect(annotationsOf(cluster, 'going')).toEqual({ 'phaseout.dev/checkpoint': '{}' });
    expect(annotationsOf(cluster, 'blue')).toEqual({ [blueHook]: 'phaseout.dev' });
    expect(told.filter(({ event }) => event === 'warning')).toEqual([]);
  });

  it('they go once nothing puts them on any more, and before what a second run needs', async () => {
    const cluster = await besides();
    aMachine(cluster, 'a', { annotations: hooked });
    const { site, changes } = siteAt(cluster);
    await remove(site, how);
    const order = changes();
    const at = (change: string): number => order.indexOf(change);
    expect(at('removed Knative Service phaseout/phaseout')).toBeLessThan(at('released Machine fleet/a'));
    expect(at('released Machine fleet/a')).toBeLessThan(at('removed ConfigMap phaseout/phaseout'));
  });

  it('the namespace of the hook watchdog goes with the rest', async () => {
    const cluster = await besides();
    const labels = { 'app.kubernetes.io/managed-by': 'phaseout' };
    const annotations = { 'phaseout.dev/made-by-deploy': 'true' };
    cluster.cluster.create('namespaces', { metadata: { name: 'phaseout-dead-man', labels, annotations } });
    const { site, changes } = siteAt(cluster);
    await remove(site, how);
    expect(changes().at(-1)).toBe('removed Namespace phaseout-dead-man');
  });

  it('a copy that OpenShift’s own Machine rules keeps it, and is told of', async () => {
    const cluster = await besides();
    aMachine(cluster, 'copy', {
      isDeleted: false,
      annotations: { ...hooked, 'cluster.x-k8s.io/paused': '' },
      finalizers: ['machine.cluster.x-k8s.io', 'sync.machine.openshift.io/finalizer'],
    });
    const { site, told } = siteAt(cluster);
    expect(await remove(site, how)).toBe('done');
    expect(annotationsOf(cluster, 'copy')).toMatchObject(hooked);
    expect(told).toContainEqual({
      event: 'warning',
      text: `1 Machine keeps ${hook}, such as fleet/copy: OpenShift's Machine of this name rules it. Run this again if the authority moves to Cluster API`,
    });
  });

  it('only those of the installation’s own name', async () => {
    const cluster = await besides({ PHASEOUT_INSTALLATION: 'blue' });
    aMachine(cluster, 'ours', { annotations: { [blueHook]: 'phaseout.dev' } });
    aMachine(cluster, 'theirs', { annotations: hooked });
    await remove(siteAt(cluster).site, how);
    expect(annotationsOf(cluster, 'ours')).toEqual({});
    expect(annotationsOf(cluster, 'theirs')).toEqual(hooked);
  });

  it('a hook that comes between two lists goes, too', async () => {
    const cluster = await besides();
    aMachine(cluster, 'a', { annotations: hooked });
    const { site } = siteAt(cluster);
    const list: typeof site.kubernetes.list = async (resource, ...rest) => {
      const found = await site.kubernetes.list(resource, ...rest);
      const isFirstEmpty = resource.plural === 'machines' && !isThere(cluster, services);
      if (isFirstEmpty && found.items.length === 0 && annotationsOf(cluster, 'late')[hook] === undefined)
        late(cluster);
      return found;
    };
    await remove({ ...site, kubernetes: { ...site.kubernetes, list } }, how);
    expect(cluster.cluster.get(machines, 'fleet', 'late')).toBeDefined();
    expect(annotationsOf(cluster, 'late')).toEqual({});
  });
});

/** An API server that has not heard yet that the policy is gone makes one Machine more. */
function late(cluster: Cluster): void {
  if (cluster.cluster.get(machines, 'fleet', 'late') === undefined)
    aMachine(cluster, 'late', { isDeleted: false, annotations: hooked });
}

/** Removes where a Machine may not be changed. */
async function refusing(more: Partial<RemoveOptions> = {}) {
  const cluster = await besides();
  aMachine(cluster, 'a', { annotations: hooked });
  aMachine(cluster, 'b', { annotations: hooked });
  const { site, told } = siteAt(cluster);
  const jsonPatch: typeof site.kubernetes.jsonPatch = async (
    resource,
    key,
    operations: JsonPatchOperation[],
  ) =>
    key.name === 'a'
      ? { kind: 'refused', code: 403, message: 'may not' }
      : site.kubernetes.jsonPatch(resource, key, operations);
  const removing = remove({ ...site, kubernetes: { ...site.kubernetes, jsonPatch } }, { ...how, ...more });
  return { cluster, removing, told };
}

describe('a hook that does not go off', () => {
  it('is named, and what a second run needs stays', async () => {
    const { cluster, removing } = await refusing();
    await expect(removing).rejects.toThrow(
      `1 Machine keeps ${hook}, and would wait for it:\n  fleet/a: may not`,
    );
    expect(annotationsOf(cluster, 'b')).toEqual({});
    expect(isThere(cluster, services)).toBe(false);
    expect(isThere(cluster, accounts)).toBe(true);
  });

  it('is left where the user abandons it', async () => {
    const { cluster, removing, told } = await refusing({ abandon: true });
    expect(await removing).toBe('done');
    expect(told).toContainEqual({
      event: 'warning',
      text: `1 Machine keeps ${hook}, and would wait for it:\n  fleet/a: may not`,
    });
    expect(isThere(cluster, accounts)).toBe(false);
  });
});

it('in place of the API’s own controller, one list is enough, and a hook that is left goes all the same', async () => {
  const cluster = await besides({ PHASEOUT_MODE: 'replace' });
  aMachine(cluster, 'a', { isDeleted: false, annotations: hooked });
  await remove(siteAt(cluster).site, how);
  expect(annotationsOf(cluster, 'a')).toEqual({});
});

const othersNode = async ({ metadata: { name } }: { metadata: { name: string } }) =>
  name === 'old' ? "Node n1 is another server's" : undefined;

describe('a Machine whose own controller would delete the Node of another one', () => {
  it('is named, and nothing is removed before somebody lets it go', async () => {
    const cluster = await besides();
    for (const name of ['old', 'fine']) aMachine(cluster, name, { annotations: hooked });
    const { site } = siteAt(cluster);
    await expect(remove({ ...site, othersNode }, how)).rejects.toThrow(
      "1 Machine would take a Node along that is not known to be its own (--let-go-of-others-nodes lets them):\n  fleet/old: Node n1 is another server's",
    );
    expect(isThere(cluster, services)).toBe(true);
    expect(annotationsOf(cluster, 'fine')).toEqual(hooked);
    expect(await remove({ ...site, othersNode }, { ...how, letsGoOfOthersNodes: true })).toBe('done');
    expect(annotationsOf(cluster, 'old')).toEqual({});
  });
});
