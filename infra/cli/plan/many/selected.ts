import type { ObjectList } from '../../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../../shared/kubernetes/errors.ts';
import { isRecord, type KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../../terminal/usage-error.ts';
import type { Fleet } from '../../fleet.ts';
import { mustHaveNamespace } from '../../namespaces.ts';
import type { MachineSelection } from '../options.ts';

/** The Machines that are meant, and whether those of an API could not be listed. */
export interface Selected {
  machines: KubeObject[];
  isUnread: boolean;
}

/** Throws CannotDo where there are none: a plan of nothing must not pass for one without a problem. */
export async function selectMachines(fleet: Fleet, selection: MachineSelection): Promise<Selected> {
  const { namespace, labelSelector } = selection;
  const where = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
  const lists = await Promise.allSettled(
    fleet.machineApis.map(({ resource }) => fleet.kubernetes.list(resource, where)),
  );
  const listed = lists.filter((each) => each.status === 'fulfilled');
  failIfNone(lists, listed.length);
  const machines = listed
    .flatMap(({ value }) => value.items)
    .filter((machine) => isMeant(machine, selection));
  const isUnread = listed.length < lists.length;
  if (machines.length > 0 || isUnread) return { machines, isUnread };
  if (namespace !== undefined) await mustHaveNamespace(fleet, namespace);
  throw new CannotDo(`there is no such Machine: nothing was judged${saying(selection)}`);
}

/** Those that may not be read of one API keep no Machine of another from being judged. */
function failIfNone(lists: readonly PromiseSettledResult<ObjectList>[], count: number): void {
  const failed = lists.filter((each) => each.status === 'rejected');
  const fatal = failed.find(({ reason }) => unreadIn(reason) === undefined);
  const [first] = failed;
  if (fatal !== undefined) throw fatal.reason;
  if (first !== undefined && count === 0) throw first.reason;
}

function saying({ namespace, ...narrowing }: MachineSelection): string {
  const said = Object.values(narrowing).map((value) => JSON.stringify(value));
  const where = namespace === undefined ? [] : [`in namespace ${JSON.stringify(namespace)}`];
  const all = [...(said.length === 0 ? [] : [`of ${said.join(' and ')}`]), ...where];
  return all.length === 0 ? '' : `, looked for ${all.join(' ')}`;
}

function isMeant(machine: KubeObject, { cluster, machineDeployment, machineSet }: MachineSelection): boolean {
  return (
    (cluster === undefined || isOfCluster(machine, cluster)) &&
    (machineDeployment === undefined ||
      machine.metadata.labels?.['cluster.x-k8s.io/deployment-name'] === machineDeployment) &&
    (machineSet === undefined || isOfSet(machine, machineSet))
  );
}

const clusterLabels = [
  'cluster.x-k8s.io/cluster-name',
  'machine.openshift.io/cluster-api-cluster',
  'cluster.k8s.io/cluster-name',
];

function isOfCluster({ metadata, spec }: KubeObject, wanted: string): boolean {
  const { namespace = '', labels = {} } = metadata;
  const named = isRecord(spec) ? spec['clusterName'] : undefined;
  const names = [named, ...clusterLabels.map((label) => labels[label])];
  return names.some(
    (name) => typeof name === 'string' && (name === wanted || `${namespace}/${name}` === wanted),
  );
}

const isOfSet = ({ metadata }: KubeObject, name: string): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => owner.kind === 'MachineSet' && owner.name === name);
