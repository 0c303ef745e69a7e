import type { PodRecord } from '../../shared/drain/pod-record.ts';
import type { Behavior, PodVerdict } from '../../shared/drain/verdict.ts';
import type {
  Condition,
  MachineDrainRule,
  Pod,
  PodDisruptionBudget,
} from '../../shared/kubernetes/objects.ts';

interface PodParts {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  phase?: string;
  ready?: boolean;
  deletionTimestamp?: string;
  finalizers?: string[];
  owner?: { kind: string; name: string; apiVersion?: string; controller?: boolean };
  volumes?: NonNullable<Pod['spec']>['volumes'];
}

/** A Pod named `namespace/name`; its UID is that name. Running, Ready and owned by a ReplicaSet unless said otherwise. */
export function pod(fullName: string, parts: PodParts = {}): Pod {
  const [namespace = '', name = ''] = fullName.split('/');
  const {
    labels,
    annotations,
    deletionTimestamp,
    finalizers,
    volumes,
    phase = 'Running',
    ready = true,
  } = parts;
  const owner = 'owner' in parts ? parts.owner : { kind: 'ReplicaSet', name: 'web' };
  const readiness: Condition = { type: 'Ready', status: ready ? 'True' : 'False' };
  return {
    metadata: {
      namespace,
      name,
      uid: fullName,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(deletionTimestamp && { deletionTimestamp }),
      ...(finalizers && { finalizers }),
      ...(owner && {
        ownerReferences: [{ controller: true, apiVersion: 'apps/v1', uid: 'owner', ...owner }],
      }),
    },
    ...(volumes && { spec: { volumes } }),
    status: { phase, conditions: [readiness] },
  };
}

export const bare = (fullName: string, parts: PodParts = {}): Pod => {
  const built = pod(fullName, parts);
  delete built.metadata.ownerReferences;
  return built;
};

export function verdict(
  fullName: string,
  behavior: Behavior = 'Drain',
  order = 0,
  parts: PodParts = {},
): PodVerdict {
  return { pod: pod(fullName, parts), behavior, order, decidedBy: 'default', warnings: [] };
}

export function record(fullName: string, parts: Partial<PodRecord> = {}): PodRecord {
  const [namespace = '', name = ''] = fullName.split('/');
  return {
    podUid: fullName,
    namespace,
    name,
    attempts: 1,
    refusals: {},
    firstAttempt: 0,
    lastAttempt: 0,
    outcome: 'refused',
    ...parts,
  };
}

export const recordsOf = (...records: PodRecord[]): Map<string, PodRecord> =>
  new Map(records.map((each) => [each.podUid, each]));

interface BudgetParts {
  spec?: PodDisruptionBudget['spec'];
  status?: PodDisruptionBudget['status'];
  generation?: number;
}

/** A budget of namespace `ns` for Pods labelled `app: <name>`, observed, whose spec can allow disruptions. */
export const budget = (
  name: string,
  { spec, status, generation = 1 }: BudgetParts = {},
): PodDisruptionBudget => ({
  metadata: { namespace: 'ns', name, generation },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } }, ...spec },
  status: { observedGeneration: 1, ...status },
});

export const rule = (name: string, spec: MachineDrainRule['spec']): MachineDrainRule => ({
  metadata: { namespace: 'fleet', name },
  ...(spec && { spec }),
});
