import type { ObjectList, Selection } from '../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { Fleet } from '../fleet.ts';

/** Of a fleet of thousands only these are kept. */
const ifDeleting = (machine: KubeObject): KubeObject | undefined =>
  machine.metadata.deletionTimestamp === undefined ? undefined : machine;

/** The Machines of one API that are being deleted, and where a watch goes on from there. Throws Unavailable. */
export const listDeletingOf = (
  { kubernetes }: Pick<Fleet, 'kubernetes'>,
  { resource }: MachineApi,
  selection: Selection,
): Promise<ObjectList> => kubernetes.list(resource, selection, ifDeleting);

/**
 * All Machines that are being deleted: one list for each API. Throws Unavailable where none can be listed; of the others that
 * is noted.
 */
export async function listDeleting(fleet: Fleet, selection: Selection): Promise<KubeObject[]> {
  const lists = await Promise.allSettled(
    fleet.machineApis.map((api) => listDeletingOf(fleet, api, selection)),
  );
  const failed = lists.filter((each) => each.status === 'rejected');
  const [first] = failed;
  const fatal = failed.find(({ reason }) => unreadIn(reason) === undefined);
  if (fatal !== undefined) throw fatal.reason;
  if (first !== undefined && failed.length === lists.length) throw first.reason;
  return lists.flatMap((each) => (each.status === 'fulfilled' ? each.value.items : []));
}
