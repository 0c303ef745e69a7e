import type { OpenShiftFleet, OpenShiftMachineParts, OpenShiftParts } from '../stories/stage/openshift.ts';
import type { Script } from '../stories/stage/provider.ts';

/** The Machine is made at that moment: what a status says of before is of a former one. */
const time = '2026-01-01T00:00:00Z';
const exists = { type: 'InstanceExists', status: 'True', lastTransitionTime: time };
const yes = (type: string) => ({ type, status: 'True', lastTransitionTime: time });
const drained = { ...yes('Drained'), message: 'Drain finished successfully' };
const blocked = (type: string, message: string) => ({
  type,
  status: 'False',
  severity: 'Warning',
  reason: 'HookPresent',
  message,
  lastTransitionTime: time,
});

/** As OpenShift's machine controller leaves a Machine when it has seen that it is being deleted. */
const begun = { phase: 'Deleting', conditions: [yes('Drainable'), exists, yes('Terminable')] };
/** As its drain controller leaves it. */
export const isDrained = {
  phase: 'Deleting',
  conditions: [yes('Drainable'), drained, exists, yes('Terminable')],
};
const backup = { name: 'Backup', owner: 'backup-controller' };
const holdsBackup = 'Terminate operation currently blocked by: [{Name:Backup Owner:backup-controller}]';
export const heldAtTermination = {
  phase: 'Deleting',
  conditions: [yes('Drainable'), drained, exists, blocked('Terminable', holdsBackup)],
};
const labels = { 'machine.openshift.io/cluster-api-machine-role': 'worker' };
const excluded = { annotations: { 'machine.openshift.io/exclude-node-draining': 'false' } };

export interface Pass {
  machine: OpenShiftMachineParts;
  parts?: OpenShiftParts;
  /** False for a Machine that lives. */
  isDeleted?: false;
  /** Pods on node-1. */
  pods?: string[];
  /** Those that are not to be touched. */
  untouched?: string[];
  provider?: Script;
  fail?: Parameters<OpenShiftFleet['fail']>[0];
  seconds?: number;
  expected: string[];
}

const deleted = 'the provider is asked: delete worker-1';
const nodeGoes = ['delete node-1 (nodes)', 'worker-1 is gone', 'take the finalizer off worker-1'];
const goes = [`${deleted} => accepted, exists => yes`, `${deleted} => accepted, exists => no`, ...nodeGoes];
const isOf = (verb: string, resource: string) => (request: { verb: string; resource: string }) =>
  request.verb === verb && request.resource === resource
    ? ({ kind: 'answer', code: 403, message: 'deny' } as const)
    : undefined;

/** By the numbers of the machine controller's pass. */
export const machineController: Record<string, Pass> = {
  '1. a Machine that Cluster API rules is left alone, drained or not': {
    machine: { status: { ...isDrained, authoritativeAPI: 'ClusterAPI' } },
    expected: [
      "worker-1: Paused True AuthoritativeAPINotMachineAPI: The AuthoritativeAPI status is set to 'ClusterAPI'",
    ],
  },
  '1. a Machine that is being migrated, too': {
    machine: { status: { ...isDrained, authoritativeAPI: 'Migrating' } },
    expected: [
      "worker-1: Paused True AuthoritativeAPINotMachineAPI: The AuthoritativeAPI status is set to 'Migrating'",
    ],
  },
  '1. a Machine that says so already is not even written': {
    machine: {
      status: {
        ...isDrained,
        authoritativeAPI: 'ClusterAPI',
        conditions: [
          ...isDrained.conditions.slice(0, 3),
          {
            ...yes('Paused'),
            reason: 'AuthoritativeAPINotMachineAPI',
            message: "The AuthoritativeAPI status is set to 'ClusterAPI'",
          },
          yes('Terminable'),
        ],
      },
    },
    expected: [],
  },
  '1. one that came back goes on where it was': {
    machine: { status: { ...isDrained, authoritativeAPI: 'MachineAPI' } },
    expected: [
      "worker-1: Paused False Info AuthoritativeAPIMachineAPI: The AuthoritativeAPI status is set to 'MachineAPI'",
      ...goes,
    ],
  },
  '2. a Machine that lost its label is not touched any more, although it is drained': {
    machine: { metadata: { labels }, status: isDrained },
    expected: [
      'worker-1: phaseout.dev/Valid False Error FailedValidate: spec.labels: Invalid value: {"machine.openshift.io/cluster-api-machine-role":"worker"}: missing machine.openshift.io/cluster-api-cluster label.',
      'Event Warning FailedValidate: worker-1: machine validation failed: spec.labels: Invalid value: {"machine.openshift.io/cluster-api-machine-role":"worker"}: missing machine.openshift.io/cluster-api-cluster label.',
    ],
  },
  '2. nor is one without a providerSpec': {
    machine: { spec: { providerSpec: { value: null } }, status: begun },
    expected: [
      'worker-1: phaseout.dev/Valid False Error FailedValidate: spec.spec.providerspec: Invalid value: {}: value field must be set',
      'Event Warning FailedValidate: worker-1: machine validation failed: spec.spec.providerspec: Invalid value: {}: value field must be set',
    ],
  },
  '3. a Machine that lives and has our finalizer needs nothing': {
    machine: {},
    isDeleted: false,
    expected: [],
  },
  '4. what had failed is cleared, and the phase says that it is being deleted': {
    machine: {
      status: { phase: 'Failed', errorReason: 'CreateError', errorMessage: 'no room' },
      preTerminate: [backup],
    },
    expected: [
      'worker-1: status.phase Deleting',
      'worker-1: no error any more',
      'cordon node-1',
      'Event Normal DrainProceeds: Node drain proceeds',
      'Event Normal Deleted: Node "node-1" drained',
      'Event Normal DrainSucceeded: Node drain succeeded',
      'worker-1: Drained True: Drain finished successfully',
    ],
  },
  '6. a Machine whose drain is held goes no further': {
    machine: {
      preDrain: [backup],
      status: {
        phase: 'Deleting',
        conditions: [
          blocked(
            'Drainable',
            'Drain operation currently blocked by: [{Name:Backup Owner:backup-controller}]',
          ),
          exists,
          yes('Terminable'),
        ],
      },
    },
    pods: ['web'],
    expected: ['Event Normal DrainBlocked: Drain blocked by pre-drain hook'],
  },
  '6. one that is drained is not drained again, whatever has come to its Node': {
    machine: { status: isDrained },
    untouched: ['late'],
    expected: goes,
  },
  '6. nor is one that was drained and has a preDrain hook': {
    machine: { status: isDrained, preDrain: [backup] },
    expected: [
      'worker-1: Drainable False Warning HookPresent: Drain operation currently blocked by: [{Name:Backup Owner:backup-controller}]',
      ...goes,
    ],
  },
  '7. a Machine that is held at its termination stays as it is': {
    machine: { status: heldAtTermination, preTerminate: [backup] },
    seconds: 300,
    expected: [],
  },
  '8. a provider that fails is told of, and nothing else happens': {
    machine: { status: isDrained },
    provider: { delete: () => ({ kind: 'failed', reason: 'DeleteError', message: 'no answer' }) },
    seconds: 1,
    expected: [
      `${deleted} => DeleteError: no answer`,
      'Event Warning FailedDelete: worker-1: failed to delete machine: DeleteError: no answer',
    ],
  },
  '8. an invalid configuration holds a Machine that has an address': {
    machine: { status: isDrained },
    provider: { delete: () => ({ kind: 'failed', reason: 'InvalidConfiguration', message: 'moon' }) },
    seconds: 1,
    expected: [
      `${deleted} => InvalidConfiguration: moon`,
      'Event Warning FailedDelete: worker-1: failed to delete machine: InvalidConfiguration: moon',
    ],
  },
  '8. and does not hold one that never had any': {
    machine: { status: { ...isDrained, addresses: null }, hasServer: false },
    provider: { delete: () => ({ kind: 'failed', reason: 'InvalidConfiguration', message: 'moon' }) },
    expected: [`${deleted} => InvalidConfiguration: moon, exists => no`, ...nodeGoes],
  },
  '8. a provider that asks for time has not failed': {
    machine: { status: isDrained },
    provider: { delete: () => ({ kind: 'retry', afterSeconds: 15, message: 'busy' }) },
    seconds: 14,
    expected: [`${deleted} => again after 15 s: busy`],
  },
  '9. a server that is still there is waited for': {
    machine: { status: isDrained },
    provider: { exists: () => ({ kind: 'exists', retryAfterSeconds: 15 }) },
    seconds: 14,
    expected: [`${deleted} => accepted, exists => yes`],
  },
  '9. of a server that nobody knows of nothing follows': {
    machine: { status: isDrained },
    provider: { exists: () => ({ kind: 'failed', reason: undefined, message: 'incomplete' }) },
    seconds: 1,
    expected: [
      `${deleted} => accepted, exists => failed: incomplete`,
      'Event Warning FailedDelete: worker-1: failed to delete machine: incomplete',
    ],
  },
  '10. of a server that is gone the Node is left to go': {
    machine: { status: isDrained, hasServer: false },
    expected: [`${deleted} => accepted, exists => no`, ...nodeGoes],
  },
  '10. a Node that is gone, too, is no error': {
    machine: { status: isDrained, hasServer: false, node: null },
    expected: [`${deleted} => accepted, exists => no`, 'worker-1 is gone', 'take the finalizer off worker-1'],
  },
  '10. a Node that cannot be deleted keeps the Machine': {
    machine: { status: isDrained, hasServer: false },
    fail: isOf('delete', 'nodes'),
    seconds: 1,
    expected: [
      `${deleted} => accepted, exists => no`,
      'delete node-1 (nodes) => 403 deny',
      'Event Warning FailedDeleteNode: worker-1: error deleting node for machine: error deleting node node-1: deny',
    ],
  },
  '11. without a nodeRef nothing is left but the finalizer': {
    machine: {
      status: { ...isDrained, nodeRef: null },
      hasServer: false,
      node: null,
      metadata: { finalizers: ['example.com/audit'] },
    },
    expected: [
      `${deleted} => accepted, exists => no`,
      'worker-1: finalizers example.com/audit',
      'take the finalizer off worker-1',
    ],
  },
};

/** By the numbers of the drain controller's pass. */
export const drainController: Record<string, Pass> = {
  '1. an exclusion is heeded, whatever it says, before any hook': {
    machine: { metadata: excluded, preDrain: [backup], preTerminate: [backup], status: begun },
    untouched: ['web'],
    expected: [
      'worker-1: Drainable False Warning HookPresent: Drain operation currently blocked by: [{Name:Backup Owner:backup-controller}]',
      'worker-1: Drained True: Node drain skipped',
      `worker-1: Terminable False Warning HookPresent: ${holdsBackup}`,
      'Event Normal DrainSkipped: Node drain skipped',
    ],
  },
  '1. as is that there is no Node': {
    machine: { preTerminate: [backup], status: { ...begun, nodeRef: null }, node: null },
    expected: [
      'Event Normal DrainSkipped: Node drain skipped',
      'worker-1: Drained True: Node drain skipped',
      `worker-1: Terminable False Warning HookPresent: ${holdsBackup}`,
    ],
  },
  '2. a hook holds the drain': {
    machine: { preDrain: [backup], status: begun },
    pods: ['web'],
    expected: [
      'worker-1: Drainable False Warning HookPresent: Drain operation currently blocked by: [{Name:Backup Owner:backup-controller}]',
      'Event Normal DrainBlocked: Drain blocked by pre-drain hook',
    ],
  },
  '3. the Node is cordoned and its Pods are evicted': {
    machine: { status: begun },
    pods: ['web'],
    seconds: 0,
    expected: ['cordon node-1', 'evict: shop/web', 'Event Normal DrainProceeds: Node drain proceeds'],
  },
  '4. what cannot be drained is told of': {
    machine: { status: begun },
    fail: isOf('list', 'pods'),
    seconds: 1,
    expected: [
      'cordon node-1',
      'worker-1: Drained False Warning DrainError: could not drain machine: failed to drain Node node-1: deny',
      'Event Normal DrainProceeds: Node drain proceeds',
      'Event Normal DrainRequeued: Node drain requeued: failed to drain Node node-1: deny',
    ],
  },
  '4. that the Node cannot be read is told of in the same words': {
    machine: { status: begun },
    fail: isOf('get', 'nodes'),
    seconds: 1,
    expected: [
      'worker-1: Drained False Warning DrainError: could not drain machine: unable to get node "node-1": deny',
      'Event Normal DrainProceeds: Node drain proceeds',
      'Event Normal DrainRequeued: Node drain requeued: unable to get node "node-1": deny',
    ],
  },
  '5. an empty Node is drained at once': {
    machine: { status: begun, preTerminate: [backup] },
    expected: [
      `worker-1: Terminable False Warning HookPresent: ${holdsBackup}`,
      'cordon node-1',
      'Event Normal DrainProceeds: Node drain proceeds',
      'Event Normal Deleted: Node "node-1" drained',
      'Event Normal DrainSucceeded: Node drain succeeded',
      'worker-1: Drained True: Drain finished successfully',
    ],
  },
};
