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
  openshift: { subject: 'the OpenShift example', deletes: [] },
  v1alpha1: { subject: 'the v1alpha1 example', deletes: [] },
};
