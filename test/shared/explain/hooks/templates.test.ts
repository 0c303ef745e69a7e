import { describe, expect, test } from 'vitest';
import { reportHooks } from '../../../../shared/explain/hooks/report-hooks.ts';
import type { Template } from '../../../../shared/explain/hooks/templates.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { aMachine, anOpenShiftMachine, backUpLogs, madeBy, moveTraffic, now } from './machines.ts';

const capi = 'cluster.x-k8s.io';
const openShift = 'machine.openshift.io';
const annotations = { [moveTraffic]: 'balancer' };
const lifecycleHooks = { preDrain: [{ name: 'Wait', owner: 'x' }] };

const aTemplate = (
  group: string,
  kind: string,
  name: string,
  { spec, ...metadata }: Partial<KubeObject['metadata']> & { spec: object },
): Template => {
  const namespace = group === openShift ? 'openshift-machine-api' : 'fleet';
  return { group, kind, object: { metadata: { name, namespace, ...metadata }, spec } };
};

const report = (machines: KubeObject[], templates: Template[]) =>
  reportHooks({ machines, templates, events: [], now });
const carriers = (machines: KubeObject[], templates: Template[]) =>
  report(machines, templates).rows.map(({ hook, template }) => [hook, template]);

const deployment = aTemplate(capi, 'MachineDeployment', 'md', {
  spec: { template: { metadata: { annotations } } },
});
const set = aTemplate(capi, 'MachineSet', 'ms', {
  ...madeBy('cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'md'),
  spec: { template: { metadata: { annotations } } },
});
const controlPlane = aTemplate('controlplane.cluster.x-k8s.io', 'KubeadmControlPlane', 'cp', {
  spec: { machineTemplate: { metadata: { annotations } } },
});
const ofSet = madeBy('cluster.x-k8s.io/v1beta2', 'MachineSet', 'ms');

describe('the template that puts a hook on', () => {
  test('is the first of those that make one another', () => {
    const machine = aMachine('a', { annotations: { ...annotations, [backUpLogs]: '' }, metadata: ofSet });
    expect(carriers([machine], [deployment, set])).toEqual([
      [moveTraffic, 'MachineDeployment fleet/md'],
      [backUpLogs, undefined],
    ]);
    expect(carriers([machine], [set])).toEqual([
      [moveTraffic, 'MachineSet fleet/ms'],
      [backUpLogs, undefined],
    ]);
  });

  test('is a control plane', () => {
    const metadata = madeBy('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', 'cp');
    expect(carriers([aMachine('a', { annotations, metadata })], [controlPlane, set])).toEqual([
      [moveTraffic, 'KubeadmControlPlane fleet/cp'],
    ]);
  });

  test('is none of another Machine, of another namespace or without the hook', () => {
    const empty = aTemplate(capi, 'MachineSet', 'ms', { spec: { template: {} } });
    const elsewhere = aTemplate(capi, 'MachineSet', 'ms', {
      namespace: 'x',
      spec: { template: { metadata: { annotations } } },
    });
    for (const [metadata, template] of [
      [{}, set],
      [madeBy('cluster.x-k8s.io/v1beta2', 'MachineSet', 'other'), set],
      [ofSet, empty],
      [ofSet, elsewhere],
    ] as const) {
      expect(carriers([aMachine('a', { annotations, metadata })], [template])).toEqual([
        [moveTraffic, undefined],
      ]);
    }
  });

  test('is a MachineSet or the control plane of OpenShift, which nothing is wrong with', () => {
    const workers = aTemplate(openShift, 'MachineSet', 'ms', {
      spec: { template: { spec: { lifecycleHooks } } },
    });
    const masters = aTemplate(openShift, 'ControlPlaneMachineSet', 'cluster', {
      spec: { template: { machines_v1beta1_machine_openshift_io: { spec: { lifecycleHooks } } } },
    });
    const machines = [
      anOpenShiftMachine('a', {
        spec: { lifecycleHooks },
        metadata: madeBy('machine.openshift.io/v1beta1', 'MachineSet', 'ms'),
      }),
      anOpenShiftMachine('b', {
        spec: { lifecycleHooks },
        metadata: madeBy('machine.openshift.io/v1', 'ControlPlaneMachineSet', 'cluster'),
      }),
    ];
    expect(carriers(machines, [workers, masters])).toEqual([
      ['Wait', 'MachineSet openshift-machine-api/ms'],
      ['Wait', 'ControlPlaneMachineSet openshift-machine-api/cluster'],
    ]);
    expect(report(machines, [workers, masters]).warnings).toEqual([]);
  });
});

describe('a hook in a template of Cluster API', () => {
  test('is warned of once, where it is said first, whether there is a Machine or not', () => {
    const { warnings } = report([], [deployment, set, controlPlane]);
    expect(warnings).toEqual(
      ['MachineDeployment fleet/md', 'KubeadmControlPlane fleet/cp'].map((object) => ({
        kind: 'in-template',
        object,
        hook: moveTraffic,
        message:
          'a hook in a template of Cluster API comes back when it is taken off a living Machine, and stands on infrastructure and bootstrap objects too: put it on the Machines instead',
      })),
    );
  });

  test('is warned of where its key is wrong', () => {
    const key = 'pre-drain.delete.hook.machine.cluster-x-k8s.io/x';
    const wrong = aTemplate(capi, 'MachineSet', 'ms', {
      spec: { template: { metadata: { annotations: { [key]: '' } } } },
    });
    expect(report([], [wrong]).warnings).toMatchObject([
      { kind: 'unmatched-key', object: 'MachineSet fleet/ms', hook: key },
    ]);
  });
});
