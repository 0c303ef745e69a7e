import { randomUUID } from 'node:crypto';
import type { ActuatorTarget } from '../../shared/actuator/port.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

interface Parts {
  name?: string;
  uid?: string;
  annotations?: Record<string, string>;
  spec?: object;
}

/** A Machine of OpenShift without any earlier request about it. */
export const anOpenShiftMachine = ({ name, uid, annotations, spec }: Parts = {}): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: name ?? 'worker-1',
    namespace: 'openshift-machine-api',
    uid: uid ?? randomUUID(),
    ...(annotations && { annotations }),
  },
  spec: { providerSpec: { value: { instanceType: 'large' } }, ...spec },
});

export const aV1alpha1Machine = (parts: Parts = {}): KubeObject => {
  const machine = anOpenShiftMachine(parts);
  return {
    ...machine,
    apiVersion: 'cluster.k8s.io/v1alpha1',
    metadata: { ...machine.metadata, namespace: 'fleet' },
  };
};

export const targetOf = (machine: KubeObject, cluster?: KubeObject): ActuatorTarget => ({ machine, cluster });

export const aCluster: KubeObject = {
  apiVersion: 'cluster.k8s.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'blue', namespace: 'fleet', uid: 'cluster-uid' },
};
