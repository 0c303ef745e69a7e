import { isMeant, type MachineSelection } from '../../../../shared/explain/fleet/selection.ts';
import type { ObjectList } from '../../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../../terminal/usage-error.ts';
import type { Fleet } from '../../fleet.ts';
import { mustHaveNamespace } from '../../namespaces.ts';

/** The Machines that are meant, and whether those of an API could not be listed. */
export interface Selected {
  machines: KubeObject[];
  isUnread: boolean;
}

/** Throws CannotDo where there are none: a plan of nothing must not pass for one without a problem. */
export async function selectSome(fleet: Fleet, selection: MachineSelection): Promise<Selected> {
  const selected = await selectMachines(fleet, selection);
  if (selected.machines.length > 0 || selected.isUnread) return selected;
  if (selection.namespace !== undefined) await mustHaveNamespace(fleet, selection.namespace);
  throw new CannotDo(`there is no such Machine: nothing was judged${saying(selection)}`);
}

/** Throws Unavailable where those of no API can be listed. */
export async function selectMachines(
  { kubernetes, machineApis }: Pick<Fleet, 'kubernetes' | 'machineApis'>,
  selection: MachineSelection,
): Promise<Selected> {
  const { namespace, labelSelector } = selection;
  const where = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
  const lists = await Promise.allSettled(machineApis.map(({ resource }) => kubernetes.list(resource, where)));
  const listed = lists.filter((each) => each.status === 'fulfilled');
  failIfNone(lists, listed.length);
  const machines = listed
    .flatMap(({ value }) => value.items)
    .filter((machine) => isMeant(machine, selection));
  return { machines, isUnread: listed.length < lists.length };
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
