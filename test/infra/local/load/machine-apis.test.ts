import { describe, expect, it } from 'vitest';
import { startControllers } from '../../../../infra/local/controllers/index.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { aMachine as aClusterApiMachine } from '../../../builders/dump.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const url = 'http://127.0.0.1:4711';

function loaded(...objects: readonly KubeObject[]) {
  const clock = new VirtualClock(Date.parse('2026-01-03T00:00:00Z'));
  const apiServer = createApiServer({ clock });
  const manifests = objects.map((object, index) => ({ from: `dump.yaml:${index}`, object }));
  return { clock, cluster: apiServer.cluster, ...load(apiServer, manifests, url) };
}

const anObject = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'fleet' },
  ...rest,
});

const openShiftMachine = anObject('machine.openshift.io/v1beta1', 'Machine', { spec: { providerSpec: {} } });
const v1alpha1Machine = anObject('cluster.k8s.io/v1alpha1', 'Machine', { spec: { providerSpec: {} } });
const rule = anObject('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', {
  spec: { drain: { behavior: 'Skip' } },
});
const aConfigMap = anObject('v1', 'ConfigMap');

/** Short for what is served: `capi/machines`. */
const served = ({ cluster }: { cluster: { resources(): string[] } }) => {
  const short: Record<string, string> = {
    'cluster.x-k8s.io': 'capi',
    'machine.openshift.io': 'openshift',
    'cluster.k8s.io': 'v1alpha1',
  };
  return cluster
    .resources()
    .flatMap((resource) => {
      const [plural, ...group] = resource.split('.');
      const name = short[group.join('.')];
      return name === undefined ? [] : [`${name}/${plural}`];
    })
    .toSorted();
};

const capi = ['capi/clusters', 'capi/machinedrainrules', 'capi/machines', 'capi/machinesets'];
const openshift = ['openshift/machinehealthchecks', 'openshift/machines', 'openshift/machinesets'];
const v1alpha1 = ['v1alpha1/clusters', 'v1alpha1/machines', 'v1alpha1/machinesets'];

describe('the Machine APIs that are served', () => {
  it.each([
    ['nothing of any', [aConfigMap], capi],
    ['Machines of Cluster API', [aClusterApiMachine('a')], capi],
    ['Machines of OpenShift', [openShiftMachine], openshift],
    ['Machines of v1alpha1', [v1alpha1Machine], v1alpha1],
    [
      'Machines of OpenShift and drain rules',
      [openShiftMachine, rule],
      ['capi/machinedrainrules', ...openshift],
    ],
    ['drain rules alone', [rule], capi],
    [
      'Machines of all three',
      [aClusterApiMachine('a'), openShiftMachine, v1alpha1Machine],
      [...capi, ...openshift, ...v1alpha1],
    ],
  ])('are, with %s, those that the manifests use', (_, objects, expected) => {
    expect(served(loaded(...objects))).toEqual(expected);
  });

  it('include MachineDrainRules where OpenShift has their definition', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'machinedrainrules.cluster.x-k8s.io' },
      spec: {
        group: 'cluster.x-k8s.io',
        scope: 'Namespaced',
        names: { plural: 'machinedrainrules', kind: 'MachineDrainRule' },
        versions: [{ name: 'v1beta2', served: true, storage: true }],
      },
    };
    expect(served(loaded(openShiftMachine, definition))).toEqual(['capi/machinedrainrules', ...openshift]);
  });

  it('keep other kinds of the same group as they are', () => {
    const set = anObject('machine.openshift.io/v1', 'ControlPlaneMachineSet', { spec: { replicas: 3 } });
    const { cluster } = loaded(openShiftMachine, set);
    expect(cluster.get('controlplanemachinesets.machine.openshift.io', 'fleet', 'x')).toMatchObject({
      apiVersion: 'machine.openshift.io/v1',
      spec: { replicas: 3 },
    });
  });
});

const aSet = (version: string) =>
  anObject(`cluster.x-k8s.io/${version}`, 'MachineSet', {
    spec: {
      clusterName: 'blue',
      replicas: 2,
      selector: {},
      template: {
        spec: {
          clusterName: 'blue',
          bootstrap: { dataSecretName: 'given' },
          infrastructureRef: {
            ...(version === 'v1beta1'
              ? { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2' }
              : { apiGroup: 'infrastructure.cluster.x-k8s.io' }),
            kind: 'AWSMachineTemplate',
            name: 'workers',
          },
        },
      },
    },
  });

describe('a MachineSet of Cluster API', () => {
  it.each(['v1beta1', 'v1beta2'])('is served at its own version, %s', (version) => {
    const { cluster } = loaded(aSet(version));
    const stored = cluster.get('machinesets.cluster.x-k8s.io', 'fleet', 'x');
    expect(stored?.apiVersion).toBe(`cluster.x-k8s.io/${version}`);
  });

  it.each(['v1beta1', 'v1beta2'])('makes Machines of its own version, %s, that run', async (version) => {
    const { clock, cluster } = loaded(aSet(version));
    const reported: unknown[] = [];
    const stop = startControllers(cluster, clock, { report: (error) => reported.push(error) });
    await clock.advance(10_000);
    stop();
    expect(reported).toEqual([]);
    const [one, other] = cluster.list('machines.cluster.x-k8s.io');
    expect(one).toMatchObject({
      apiVersion: `cluster.x-k8s.io/${version}`,
      spec: { infrastructureRef: { kind: 'AWSMachine', name: one?.metadata.name } },
      status: { phase: 'Running', nodeRef: { name: one?.metadata.name } },
    });
    expect(other).toMatchObject({ status: { phase: 'Running' } });
  });

  it('makes nothing when its version is another than that of the Machines', async () => {
    const { clock, cluster } = loaded(aSet('v1beta1'), aClusterApiMachine('a'));
    const stop = startControllers(cluster, clock);
    await clock.advance(10_000);
    stop();
    expect(cluster.list('machines.cluster.x-k8s.io')).toHaveLength(1);
  });

  it('has the template that it names, and what comes from it can be made', () => {
    const { cluster, notes } = loaded(aSet('v1beta2'));
    expect(
      cluster.get('awsmachinetemplates.infrastructure.cluster.x-k8s.io', 'fleet', 'workers'),
    ).toBeDefined();
    expect(cluster.resources()).toContain('awsmachines.infrastructure.cluster.x-k8s.io');
    expect(notes).toContain('not in the manifests, so assumed to be there: 1 AWSMachineTemplate');
  });
});

it('says how many Machines will be made at the start', () => {
  const owner = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    name: 's',
    uid: 'set',
    controller: true,
  };
  const machine = (name: string, rest = {}) => ({
    ...openShiftMachine,
    metadata: { name, namespace: 'fleet', ownerReferences: [owner], ...rest },
  });
  const set = {
    ...anObject('machine.openshift.io/v1beta1', 'MachineSet', { spec: { replicas: 4, selector: {} } }),
    metadata: { name: 's', namespace: 'fleet', uid: 'set' },
  };
  const { notes } = loaded(
    set,
    machine('a'),
    machine('b', { deletionTimestamp: '2026-01-02T00:00:00Z', finalizers: ['machine.machine.openshift.io'] }),
  );
  expect(notes).toContain(
    'made at the start of a run, because MachineSets ask for more than the manifests have: 3 Machine',
  );
});

describe('a Machine of v1alpha1', () => {
  const labelled = {
    ...v1alpha1Machine,
    metadata: { name: 'x', namespace: 'fleet', labels: { 'cluster.k8s.io/cluster-name': 'green' } },
  };

  it('has the Cluster that it is labelled with, and that a kubeconfig that leads here', () => {
    const { cluster, notes } = loaded(labelled);
    expect(cluster.get('clusters.cluster.k8s.io', 'fleet', 'green')).toBeDefined();
    expect(notes).toContain('not in the manifests, so assumed to be there: 1 Cluster');
    const secret = cluster.get('secrets', 'fleet', 'green-kubeconfig');
    expect(secret?.metadata.labels).toEqual({ 'cluster.k8s.io/cluster-name': 'green' });
    expect(Buffer.from(textAt(secret, 'data', 'value'), 'base64').toString()).toContain(url);
  });

  it('keeps the Cluster that the manifests have', () => {
    const green = {
      ...anObject('cluster.k8s.io/v1alpha1', 'Cluster'),
      metadata: { name: 'green', namespace: 'fleet', uid: 'theirs' },
    };
    const { cluster, notes } = loaded(labelled, green);
    expect(cluster.get('clusters.cluster.k8s.io', 'fleet', 'green')?.metadata.uid).toBe('theirs');
    expect(notes).toEqual([]);
  });

  it('needs none without the label', () => {
    expect(loaded(v1alpha1Machine).cluster.list('clusters.cluster.k8s.io')).toEqual([]);
  });
});

it('a Machine of OpenShift refers to nothing but its Node', () => {
  const { notes } = loaded(openShiftMachine);
  expect(notes).toEqual([]);
});
