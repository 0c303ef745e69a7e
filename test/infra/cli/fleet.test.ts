import { describe, expect, test } from 'vitest';
import { findMachine, labelOf, listMachines, targetIn } from '../../../infra/cli/fleet.ts';
import { parseMachineName } from '../../../infra/cli/machine-name.ts';
import type { MachineApi } from '../../../infra/host/served-machine-apis.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { Key, Resource } from '../../../shared/kubernetes/client.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { servedAs } from '../host/served-as.ts';

const capi = servedAs(clusterApi, 'v1beta2');
const openshift = servedAs(openShift, 'v1beta1');
const v1alpha1 = servedAs(originalApi, 'v1alpha1');

/** A cluster that has these Machines, by group and name, in these Machine APIs. */
function aFleet(machineApis: MachineApi[], ...names: string[]) {
  const clusters = new Map(machineApis.map(({ resource }) => [resource.group, new FakeCluster([])]));
  for (const text of names) {
    const [group = '', name = ''] = text.split(' ');
    clusters.get(group)?.put('machines', { metadata: { namespace: 'fleet', name, uid: `${group}-${name}` } });
  }
  const of = ({ group }: Resource): FakeCluster => clusters.get(group) ?? new FakeCluster([]);
  const kubernetes = Object.assign(new FakeCluster([]), {
    get: (resource: Resource, key: Key) => of(resource).get(resource, key),
    list: (resource: Resource) => of(resource).list(resource),
  });
  return { kubernetes, machineApis };
}

const two = aFleet(
  [capi, openshift],
  'cluster.x-k8s.io a',
  'cluster.x-k8s.io both',
  'machine.openshift.io b',
  'machine.openshift.io both',
);

describe('a Machine on the command line', () => {
  test.each([
    ['fleet/a', 'cluster.x-k8s.io-a'],
    ['fleet/b', 'machine.openshift.io-b'],
    ['capi:fleet/both', 'cluster.x-k8s.io-both'],
    ['openshift:fleet/both', 'machine.openshift.io-both'],
  ])('is found as %s in whichever API has it', async (text, uid) => {
    expect((await findMachine(two, parseMachineName(text))).uid).toBe(uid);
  });

  test.each([
    [
      'fleet/both',
      'Machine fleet/both is in several Machine APIs; say which: capi:fleet/both or openshift:fleet/both',
    ],
    [
      'fleet/c',
      'there is no Machine fleet/c. Did you mean capi:fleet/a or openshift:fleet/b? (of 4 Machines)',
    ],
    [
      'openshift:fleet/a',
      'there is no Machine openshift:fleet/a. Did you mean capi:fleet/a or openshift:fleet/b? (of 4 Machines)',
    ],
    ['v1alpha1:fleet/a', 'there are no v1alpha1 Machines: cluster.k8s.io is not installed there'],
  ])('is not found as %s', async (text, message) => {
    await expect(findMachine(two, parseMachineName(text))).rejects.toThrow(message);
  });
});

describe('the name that a Machine is shown by', () => {
  test('is short where there is one Machine API, and says of which it is where there are several', async () => {
    const one = aFleet([v1alpha1], 'cluster.k8s.io a');
    const shown = async (fleet: typeof one) =>
      (await listMachines(fleet)).map(({ target }) => labelOf(fleet, target));
    expect(await shown(one)).toEqual(['fleet/a']);
    expect(await shown(two)).toEqual([
      'capi:fleet/a',
      'capi:fleet/both',
      'openshift:fleet/b',
      'openshift:fleet/both',
    ]);
  });

  test('is one that finds it', async () => {
    for (const { target } of await listMachines(two)) {
      expect(await findMachine(two, parseMachineName(labelOf(two, target)))).toEqual(target);
    }
  });

  test('is known of a Machine that a fact tells of, in whatever version', () => {
    const ref = { apiVersion: 'cluster.x-k8s.io/v1beta1', namespace: 'fleet', name: 'a', uid: 'u' };
    expect(targetIn(two, ref)).toEqual({ api: capi, namespace: 'fleet', name: 'a', uid: 'u' });
    expect(targetIn(two, { ...ref, apiVersion: 'cluster.k8s.io/v1alpha1' })).toBeUndefined();
  });
});
