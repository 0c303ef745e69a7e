import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { ClusterState, StatusInput } from '../../shared/dialects/status-input.ts';
import type { Condition, KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Machine } from '../../shared/machine/machine.ts';
import { aCheckpoint, after, timeAfter } from './cluster-api.ts';

export { after, timeAfter };

export interface Overrides {
  metadata?: Record<string, unknown>;
  annotations?: Record<string, string>;
  /** Names of hooks; each is owned by `<name>-owner`. */
  preDrain?: string[];
  preTerminate?: string[];
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

export const excluded = { 'machine.openshift.io/exclude-node-draining': '' };

const hook = (name: string) => ({ name, owner: `${name}-owner` });

/** A worker that was running when it was deleted, with its Node node-1. */
export const aRawMachine = ({
  metadata,
  annotations = {},
  preDrain = [],
  preTerminate = [],
  spec,
  status,
}: Overrides = {}): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'm-1',
    namespace: 'default',
    uid: 'uid-1',
    resourceVersion: '7',
    generation: 2,
    deletionTimestamp: timeAfter(0),
    finalizers: ['machine.machine.openshift.io'],
    labels: { 'machine.openshift.io/cluster-api-cluster': 'c' },
    annotations,
    ...metadata,
  },
  spec: {
    lifecycleHooks: {
      ...(preDrain.length === 0 ? {} : { preDrain: preDrain.map(hook) }),
      ...(preTerminate.length === 0 ? {} : { preTerminate: preTerminate.map(hook) }),
    },
    providerID: 'x://m-1',
    providerSpec: { value: { kind: 'ServerSpec' } },
    ...spec,
  },
  status: {
    phase: 'Running',
    lastUpdated: timeAfter(-500),
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    nodeRef: { kind: 'Node', name: 'node-1', uid: 'node-uid-1' },
    ...status,
  },
});

export const aMachine = (overrides: Overrides = {}): Machine => openShift.read(aRawMachine(overrides));

export const drained: Condition = {
  type: 'Drained',
  status: 'True',
  message: 'Drain finished successfully',
  lastTransitionTime: timeAfter(-20),
};

export const someSurroundings = (overrides: Partial<ClusterState> = {}): ClusterState => ({
  cluster: undefined,
  controlPlane: { kind: 'unseen' },
  controlPlaneMembers: undefined,
  runsUs: false,
  ...overrides,
});

interface StatusParts extends Partial<Omit<StatusInput, 'machine' | 'checkpoint' | 'paused'>>, Overrides {
  checkpoint?: Partial<Checkpoint>;
}

/** What a status is computed from, ten seconds after: in `drain` since one second after. */
export function aStatusInput({
  checkpoint,
  report,
  now = after(10),
  ...machine
}: StatusParts = {}): StatusInput {
  const read = aMachine(machine);
  return {
    machine: read,
    checkpoint: aCheckpoint(checkpoint),
    report,
    paused: openShift.pausedBy(read, someSurroundings()),
    cluster: undefined,
    infrastructure: { kind: 'unseen' },
    bootstrap: { kind: 'unseen' },
    node: { kind: 'unseen' },
    now,
  };
}
