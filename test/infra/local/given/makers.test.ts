import { describe, expect, it } from 'vitest';
import { onlyMakersNotes } from '../../../../infra/local/given/makers.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine } from '../../../builders/dump.ts';
import { aThing } from './dump.ts';

const capi = 'cluster.x-k8s.io/v1beta2';
const cluster = (spec: object): KubeObject => ({ ...aThing(capi, 'Cluster', 'fleet', 'blue'), spec });
const command =
  'kubectl get machines,clusters,machinedrainrules -A -o yaml > dump.yaml, then --load dump.yaml';

describe('a dump without Machines', () => {
  it.each([
    [aThing(capi, 'MachineDeployment', 'fleet'), 'MachineDeployment fleet/x'],
    [aThing(capi, 'MachineSet', 'fleet'), 'MachineSet fleet/x'],
    [aThing(capi, 'MachinePool', 'fleet'), 'MachinePool fleet/x'],
    [
      aThing('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', 'fleet'),
      'KubeadmControlPlane fleet/x',
    ],
    [cluster({ topology: { version: 'v1.33.0' } }), 'Cluster fleet/blue (by its topology)'],
    [aThing('cluster.k8s.io/v1alpha1', 'MachineSet', 'fleet'), 'MachineSet fleet/x'],
  ])('names what makes them: $kind', (maker, name) => {
    expect(onlyMakersNotes([maker])).toEqual([
      `no Machine was given, only what makes Machines: ${name}. Here only a MachineSet makes them, once a run begins`,
      `to get the Machines: ${command}`,
    ]);
  });

  it.each(['MachineSet', 'ControlPlaneMachineSet'])(
    'says how to get those of OpenShift, from a %s',
    (kind) => {
      const [, advice] = onlyMakersNotes([aThing('machine.openshift.io/v1', kind, 'openshift-machine-api')]);
      expect(advice).toMatch(/^to get the Machines: oc get machines\.machine\.openshift\.io,/);
    },
  );

  it.each([
    ['a Machine is there', [aMachine('a'), aThing(capi, 'MachineSet', 'fleet')]],
    ['a Cluster has no topology', [cluster({})]],
    ['a kind of another group has the name', [aThing('apps.example.com/v1', 'MachineSet', 'fleet')]],
    ['nothing is there', []],
  ])('says nothing where %s', (_what, objects) => {
    expect(onlyMakersNotes(objects)).toEqual([]);
  });
});
