import type { ApiName } from './api-names.ts';
import type { MachineName } from './machine-name.ts';

export interface Example {
  /** In a few words, after "phaseout:". */
  subject: string;
  /** What `run` deletes of it when nothing else is said. */
  deletes: readonly MachineName[];
}

/** The example fleets, by the Machine API that they are of. */
export const examples: Readonly<Record<ApiName, Example>> = {
  capi: { subject: 'the example fleet', deletes: [{ namespace: 'fleet', name: 'worker-1' }] },
  // A control plane Machine, which etcd holds on to until a fourth member is there, and a worker beside it.
  openshift: {
    subject: 'the example fleet of OpenShift',
    deletes: [
      { namespace: 'openshift-machine-api', name: 'master-1' },
      { namespace: 'openshift-machine-api', name: 'worker-1' },
    ],
  },
  v1alpha1: {
    subject: 'the example fleet of v1alpha1',
    deletes: [{ namespace: 'machines', name: 'worker-1' }],
  },
};
