import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Node } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Machine } from '../../shared/machine/machine.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import type { Subject } from '../../shared/phase/definition.ts';
import { aCheckpoint, aMachine, someSurroundings } from './cluster-api.ts';

interface Parts extends Partial<Omit<Subject, 'machine' | 'checkpoint'>> {
  machine?: Partial<Machine>;
  checkpoint?: Partial<Checkpoint>;
  phase?: Phase;
  annotations?: Record<string, string>;
}

/**
 * A worker that is being deleted, whose Node node-1 may be touched. It is in `drain` since one second after its
 * deletion. An attempt that had to wait started the time limit.
 */
export function aSubject({
  machine,
  checkpoint,
  phase = 'drain',
  annotations,
  ...others
}: Parts = {}): Subject {
  const saved = aCheckpoint({ phase, ...checkpoint });
  return {
    machine: { ...aMachine(annotations === undefined ? {} : { annotations }), ...machine },
    dialect: clusterApi,
    checkpoint: { reached: saved.since, ...saved },
    surroundings: someSurroundings(),
    nodeDeletion: { allowed: true },
    ...others,
  };
}

interface NodeParts {
  name?: string;
  uid?: string;
  unschedulable?: boolean;
  ready?: 'True' | 'False' | 'Unknown';
  volumesAttached?: string[];
  providerID?: string;
  deletionTimestamp?: string;
}

/** The Machine's Node: ready, cordoned, nothing attached. */
export const aNode = (parts: NodeParts = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: parts.name ?? 'node-1',
    uid: parts.uid ?? 'node-uid-1',
    resourceVersion: '50',
    ...(parts.deletionTimestamp === undefined ? {} : { deletionTimestamp: parts.deletionTimestamp }),
  },
  spec: { providerID: parts.providerID ?? 'x://m-1', unschedulable: parts.unschedulable ?? true },
  status: {
    conditions: [{ type: 'Ready', status: parts.ready ?? 'True' }],
    volumesAttached: (parts.volumesAttached ?? []).map((name) => ({ name, devicePath: '' })),
  },
});
