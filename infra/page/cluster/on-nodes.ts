import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { May, Wanted } from './rights.ts';

/** What of a Node somebody may see. */
export interface OnNodes {
  /** The Pods of a namespace, with the claims that they name, and the budgets there. */
  inNamespace: (namespace: string) => Promise<boolean>;
  /** All that free text may name: in these namespaces, or in any where none is given. */
  all: (namespaces?: readonly string[]) => Promise<boolean>;
}

type Kind = Pick<Wanted, 'group' | 'resource'>;

const namespaced: readonly Kind[] = [
  { group: '', resource: 'pods' },
  { group: 'policy', resource: 'poddisruptionbudgets' },
];
const ofCluster: readonly Kind[] = [
  { group: '', resource: 'nodes' },
  { group: '', resource: 'persistentvolumes' },
  { group: 'storage.k8s.io', resource: 'volumeattachments' },
];

/**
 * The rights in the cluster that has the Nodes. A separate workload cluster does not know this one's users. There the
 * right to read its kubeconfig counts.
 */
export function onNodes(workload: WorkloadRef | undefined, may: May): OnNodes {
  if (workload?.kind !== 'here') {
    const isAllowed = async (): Promise<boolean> => workload !== undefined && may(secretOf(workload));
    return { inNamespace: isAllowed, all: isAllowed };
  }
  const every = async (kinds: readonly Kind[], namespace?: string): Promise<boolean> => {
    const where = namespace === undefined ? {} : { namespace };
    const answers = await Promise.all(kinds.map((kind) => mayRead({ ...kind, ...where }, may)));
    return answers.every(Boolean);
  };
  return {
    inNamespace: (namespace) => every(namespaced, namespace),
    async all(namespaces) {
      const places = namespaces === undefined ? [undefined] : namespaces;
      const answers = await Promise.all(places.map((namespace) => every(namespaced, namespace)));
      return answers.every(Boolean) && every(ofCluster);
    },
  };
}

/** Who may list objects reads each of them. */
const mayRead = async (wanted: Omit<Wanted, 'verb'>, may: May): Promise<boolean> =>
  (await may({ verb: 'get', ...wanted })) || may({ verb: 'list', ...wanted });

const secretOf = ({ namespace, clusterName }: Extract<WorkloadRef, { kind: 'cluster' }>): Wanted => ({
  verb: 'get',
  group: '',
  resource: 'secrets',
  namespace,
  name: `${clusterName}-kubeconfig`,
});
