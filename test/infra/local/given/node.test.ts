import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode, anAwsMachine } from '../../../builders/dump.ts';
import { aThing, blue, notesOf } from './dump.ts';

const commandOfBlue =
  "to get the Nodes of Cluster fleet/blue: kubectl get secret blue-kubeconfig -n fleet -o jsonpath='{.data.value}' | " +
  'base64 -d > blue.kubeconfig && kubectl --kubeconfig blue.kubeconfig get nodes,pods,pdb,replicasets,deployments,' +
  'statefulsets,jobs,daemonsets,namespaces,pv,pvc,volumeattachments,validatingwebhookconfigurations,' +
  'mutatingwebhookconfigurations -A -o yaml > blue.yaml, then --load-workload fleet/blue=blue.yaml';

describe('a Node that was not given', () => {
  const missing =
    'Machine fleet/a: its Node was not given (a): its Pods and volumes are unknown, and a run goes on as if there were none';

  it('is not absent, and the command that gets it is given', () => {
    expect(notesOf([aMachine('a'), aNode('of-management')])).toEqual([missing, commandOfBlue]);
  });

  it('is no matter of others that were given of the management cluster', () => {
    const notes = notesOf([aMachine('a'), aNode('a')], [blue()]);
    expect(notes[0]).toBe(missing);
  });

  it('does not exist where others of its own cluster were given', () => {
    expect(notesOf([aMachine('a')], [blue(aNode('b'))])).toEqual([]);
  });

  it('may be one that the Machine does not name', () => {
    const { status: _, spec: given, ...rest } = aMachine('a');
    const { providerID: __, ...spec } = given;
    const machine = { ...rest, spec };
    const without = { ...rest, spec: { ...spec, providerID: 'aws:///i-1' } };
    const nameless =
      'Machine fleet/a: its Node was not given: its Pods and volumes are unknown, and a run goes on as if there were none';
    expect(notesOf([without])[0]).toBe(nameless);
    expect(notesOf([without, { ...aNode('b'), spec: { providerID: 'aws:///i-1' } }])).toEqual([]);
    const infrastructure = { ...anAwsMachine('a'), spec: { providerID: 'aws:///i-1' } };
    expect(notesOf([machine, infrastructure])[0]).toBe(nameless);
    expect(notesOf([machine])).toEqual([]);
  });

  it('is of no matter where the Cluster goes as a whole', () => {
    const cluster = {
      ...aThing('cluster.x-k8s.io/v1beta2', 'Cluster', 'fleet', 'blue'),
      metadata: { name: 'blue', namespace: 'fleet', deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(notesOf([aMachine('a'), cluster])).toEqual([]);
  });

  it('is missing from a dump of OpenShift that has no Nodes at all', () => {
    const machine: KubeObject = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'a', namespace: 'openshift-machine-api' },
      status: { nodeRef: { name: 'a' } },
    };
    const [first, second] = notesOf([machine]);
    expect(first).toContain('Machine openshift-machine-api/a: its Node was not given (a)');
    expect(second).toMatch(
      /^to get it: oc get machines\.machine\.openshift\.io,nodes,.*then --load dump\.yaml$/,
    );
    expect(notesOf([machine, aNode('b')])).toEqual([
      'these MachineDrainRules are without effect, because no Machine given is in their namespaces: fleet/x',
    ]);
  });

  it('puts no name into a command that a shell would take for more', () => {
    const { spec, ...machine } = aMachine('a');
    const notes = notesOf([{ ...machine, spec: { ...spec, clusterName: '$(reboot)' } }]);
    expect(notes[1]).toContain('kubectl get secret CLUSTER-kubeconfig -n NAMESPACE');
    expect(notes[1]?.split(': kubectl')[1]).not.toContain('reboot');
  });
});
