import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { numberAt } from '../kubernetes/server/json.ts';
import { machineGroups } from './served-apis.ts';

const groups: ReadonlySet<string> = new Set(machineGroups);

/** How many Machines the sets lack, those that are being deleted not counted. */
export function machinesToCome(objects: readonly KubeObject[]): number {
  const ofMachineApis = objects.filter((object) => groups.has(groupVersionOf(object).group));
  const alive = ofMachineApis.filter(
    ({ kind, metadata }) => kind === 'Machine' && metadata.deletionTimestamp === undefined,
  );
  const owners = alive.flatMap(({ metadata }) =>
    (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true).map(({ uid }) => uid),
  );
  return ofMachineApis
    .filter(({ kind, metadata }) => kind === 'MachineSet' && metadata.deletionTimestamp === undefined)
    .map((set) => {
      const owned = owners.filter((uid) => uid === set.metadata.uid).length;
      return Math.max(0, (numberAt(set, 'spec', 'replicas') ?? 1) - owned);
    })
    .reduce((total, count) => total + count, 0);
}
