import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { ExampleName } from '../local/examples/names.ts';
import type { MachineName } from './machine-name.ts';

/** An example fleet, as commands need to know it. */
export interface Example {
  api: MachineApiName;
  /** In a few words, after "phaseout:". */
  subject: string;
  /** What `run` deletes of it when nothing else is said. */
  deletes: readonly MachineName[];
}

/** The example fleets, by their names. */
export const examples: Readonly<Record<ExampleName, Example>> = {
  capi: {
    api: 'capi',
    subject: 'the example fleet',
    deletes: [{ namespace: 'fleet', name: 'worker-1' }],
  },
  // A control plane Machine, which etcd holds on to until a fourth member is there, and a worker beside it.
  openshift: {
    api: 'openshift',
    subject: 'the example fleet of OpenShift',
    deletes: [
      { namespace: 'openshift-machine-api', name: 'master-1' },
      { namespace: 'openshift-machine-api', name: 'worker-1' },
    ],
  },
  v1alpha1: {
    api: 'v1alpha1',
    subject: 'the example fleet of v1alpha1',
    deletes: [{ namespace: 'machines', name: 'worker-1' }],
  },
  hooks: {
    api: 'capi',
    subject: 'the example fleet whose Machines wait for a function',
    deletes: [{ namespace: 'fleet', name: 'worker-2' }],
  },
  policies: {
    api: 'capi',
    subject: 'the example fleet whose Machines go one by one',
    deletes: ['worker-1', 'worker-2', 'worker-3'].map((name) => ({ namespace: 'fleet', name })),
  },
};
