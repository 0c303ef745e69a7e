import { expect } from 'vitest';
import { kubeconfigOf } from '../stories/stage/carriage.ts';
import type { Script } from '../stories/stage/provider.ts';
import {
  machines,
  type OriginalFleet,
  type OriginalMachineParts,
  type OriginalParts,
} from '../stories/stage/v1alpha1.ts';

export interface Pass {
  machine?: OriginalMachineParts;
  parts?: OriginalParts;
  /** Control plane Machines of its cluster; undefined for a Cluster that is missing. */
  members?: number | undefined;
  scene?: (fleet: OriginalFleet) => void;
  provider?: Script;
  fail?: Parameters<OriginalFleet['fail']>[0];
  seconds?: number;
  expected: string[];
}

const deleted = 'the provider is asked: delete worker-1';
const ends = ['worker-1 is gone', 'take the finalizer off worker-1'];
const nodeGoes = ['delete node-1 (nodes)', ...ends];
export const accepts: Script = {
  delete: ({ machine }) => (machine.metadata.name === 'worker-1' ? { kind: 'accepted' } : undefined),
};
const isOf = (verb: string, resource: string) => (request: { verb: string; resource: string }) =>
  request.verb === verb && request.resource === resource
    ? ({ kind: 'answer', code: 403, message: 'deny' } as const)
    : undefined;

/** Each as the original controller leaves it: Kubernetes has taken its own finalizer off before. */
export const deleting: Record<string, Pass> = {
  '1. a Machine without a cluster needs none': {
    machine: { cluster: null },
    expected: [`${deleted} => accepted`, ...ends],
  },
  '1. one whose Cluster is missing cannot be deleted': {
    members: undefined,
    expected: [
      'Event Warning FailedDelete: Cluster fleet/blue does not exist: its Machines cannot be deleted',
    ],
  },
  '4. the Machine that phaseout runs on stays': {
    parts: { ownNode: 'node-1' },
    expected: [
      'Event Warning DeletionRefused: Machine worker-1 is the one that phaseout runs on (Node node-1)',
    ],
  },
  '4. one whose Node only has that name does not': {
    parts: { ownNode: 'node-1' },
    machine: { status: { nodeRef: { kind: 'Node', name: 'node-1', uid: 'of-another-one' } } },
    expected: [`${deleted} => accepted`, ...nodeGoes],
  },
  '4. nor does one whose Node is gone': {
    parts: { ownNode: 'node-1' },
    machine: { node: null },
    expected: [`${deleted} => accepted`, ...ends],
  },
  '5. a provider that asks for time is asked again after it': {
    provider: { delete: () => ({ kind: 'retry', afterSeconds: 4, message: 'busy' }) },
    seconds: 3,
    expected: [`${deleted} => again after 4 s: busy`],
  },
  '5. one that fails is told of': {
    provider: { delete: () => ({ kind: 'failed', reason: 'DeleteError', message: 'no answer' }) },
    expected: [
      `${deleted} => DeleteError: no answer`,
      "Event Warning FailedDelete: error deleting Machine's instance: DeleteError: no answer",
    ],
  },
  '5. nothing is forgiven, address or none': {
    machine: { status: { addresses: null }, hasServer: false },
    provider: { delete: () => ({ kind: 'failed', reason: 'InvalidConfiguration', message: 'moon' }) },
    expected: [
      `${deleted} => InvalidConfiguration: moon`,
      "Event Warning FailedDelete: error deleting Machine's instance: InvalidConfiguration: moon",
    ],
  },
  '5. whether the server is there is not asked': {
    provider: {
      ...accepts,
      exists: ({ machine }) => (machine.metadata.deletionTimestamp ? 'unreachable' : undefined),
    },
    expected: [`${deleted} => accepted`, ...nodeGoes],
  },
  '6. without a nodeRef there is no Node to delete': {
    machine: { status: { nodeRef: null } },
    expected: [`${deleted} => accepted`, ...ends],
  },
  '6. a cluster without control plane Machines keeps its Nodes': {
    members: 0,
    expected: [`${deleted} => accepted`, ...ends],
  },
  '6. the only control plane Machine keeps its Node': {
    members: 0,
    machine: { isControlPlane: true },
    expected: [`${deleted} => accepted`, ...ends],
  },
  '6. one of two takes its Node along, although both are being deleted': {
    members: 1,
    machine: { isControlPlane: true },
    scene(fleet) {
      fleet.change(machines, 'blue-cp-1', { metadata: { finalizers: ['example.com/x'] } });
      fleet.delete('blue-cp-1');
    },
    expected: [`${deleted} => accepted`, ...nodeGoes],
  },
  '6. a Node in a cluster whose kubeconfig is missing is left': {
    scene: (fleet) =>
      fleet.server.cluster.remove('secrets', { metadata: { name: 'blue-kubeconfig', namespace: 'fleet' } }),
    expected: [`${deleted} => accepted`, ...ends],
  },
  '6. a cluster that cannot be reached is no missing one': {
    scene(fleet) {
      const value = Buffer.from(kubeconfigOf('nowhere')).toString('base64');
      fleet.change('secrets', 'blue-kubeconfig', { data: { value } });
      fleet.unreachable('nowhere');
    },
    expected: [
      `${deleted} => accepted`,
      'Event Warning FailedDeleteNode: error deleting Machine\'s node "node-1": error getting client: connection to the workload cluster is down',
    ],
  },
  '6. a Node that is gone is no error': {
    machine: { node: null },
    expected: [`${deleted} => accepted`, ...ends],
  },
  '6. one that cannot be deleted is, and keeps the Machine': {
    fail: isOf('delete', 'nodes'),
    expected: [
      `${deleted} => accepted`,
      'delete node-1 (nodes) => 403 deny',
      'Event Warning FailedDeleteNode: error deleting Machine\'s node "node-1": error deleting node node-1: deny',
    ],
  },
  '7. only our finalizer is taken off': {
    machine: { metadata: { finalizers: ['example.com/audit'] } },
    expected: [
      `${deleted} => accepted`,
      'delete node-1 (nodes)',
      'worker-1: finalizers example.com/audit',
      'take the finalizer off worker-1',
    ],
  },
};

interface LivingPass {
  /** What is there before phaseout comes. */
  scene: (fleet: OriginalFleet) => void;
  seconds?: number;
  expected: string[];
}

const running = [
  'the provider is asked: exists worker-1 => no',
  'the provider is asked: create worker-1 => done',
];
const isMade = expect.stringMatching(/^worker-1: spec\.providerID local:\/\/\//);

/** What is done for a Machine that lives. */
export const living: Record<string, LivingPass> = {
  '2. and 3. a Machine that nobody has seen to': {
    scene(fleet) {
      fleet.cluster('blue', 0);
      fleet.create(machines, fleet.newMachine('worker-1'));
    },
    expected: [
      'worker-1: finalizers foregroundDeletion, machine.cluster.k8s.io',
      'worker-1: owned by Cluster blue',
      ...running,
      isMade,
    ],
  },
  '2. a Machine of another owner gets no second one of the same API': {
    scene(fleet) {
      fleet.cluster('blue', 0);
      const metadata = fleet.machineSet('workers', { replicas: 1 });
      const machine = fleet.newMachine('worker-1', { metadata });
      fleet.create(machines, machine);
    },
    expected: ['worker-1: finalizers foregroundDeletion, machine.cluster.k8s.io', ...running, isMade],
  },
  '3. finalizers of others stay where they are': {
    scene(fleet) {
      const metadata = { finalizers: ['example.com/audit'] };
      fleet.create(machines, fleet.newMachine('worker-1', { cluster: null, metadata }));
    },
    expected: ['worker-1: finalizers example.com/audit, machine.cluster.k8s.io', ...running, isMade],
  },
  '8. one that has lost its server gets another': {
    scene(fleet) {
      fleet.cluster('blue', 0);
      fleet.machineThatRuns('worker-1', { hasServer: false });
    },
    expected: [...running, isMade],
  },
  '8. a create that fails is told of': {
    scene(fleet) {
      fleet.create(machines, fleet.newMachine('worker-1', { cluster: null }));
      fleet.provider.answers({
        create: () => ({ kind: 'failed', reason: 'InsufficientResources', message: 'full' }),
      });
    },
    expected: [
      'worker-1: finalizers machine.cluster.k8s.io',
      'the provider is asked: exists worker-1 => no',
      'the provider is asked: create worker-1 => InsufficientResources: full',
      "Event Warning FailedCreate: error creating Machine's instance: InsufficientResources: full",
    ],
  },
  '8. an update that has to wait has not failed': {
    scene(fleet) {
      fleet.cluster('blue', 0);
      fleet.machineThatRuns('worker-1');
      fleet.provider.answers({ update: () => ({ kind: 'retry', afterSeconds: 60, message: 'busy' }) });
    },
    expected: ['the provider is asked: update worker-1 => again after 60 s: busy'],
  },
  '8. of what nobody knows nothing is made': {
    scene(fleet) {
      fleet.create(machines, fleet.newMachine('worker-1', { cluster: null }));
      fleet.provider.answers({ exists: () => 'unreachable' });
    },
    expected: [
      'worker-1: finalizers machine.cluster.k8s.io',
      'the provider is asked: exists worker-1 => nobody answers',
      'Event Warning ReconcileError: error reconciling Machine: POST http://provider/v1/exists: connect ECONNREFUSED',
    ],
  },
};
