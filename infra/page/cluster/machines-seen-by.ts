import type { MachineApi } from '../../host/served-machine-apis.ts';
import { apiNameOf } from '../look/names.ts';
import type { MachineName } from '../views.ts';
import type { May, Wanted } from './rights.ts';

/** What the API server calls the Machines of an API. */
export type MachinesOf = (api: string) => Pick<Wanted, 'group' | 'resource'>;

export const machinesIn =
  (machineApis: readonly MachineApi[]): MachinesOf =>
  (name) => {
    const api = machineApis.find((each) => apiNameOf(each) === name);
    return { group: api?.dialect.group ?? name, resource: api?.dialect.plural ?? 'machines' };
  };

/** Those whose namespace somebody may list the Machines of. */
export async function machinesSeenBy<T extends MachineName>(
  rows: readonly T[],
  machinesOf: MachinesOf,
  may: May,
): Promise<T[]> {
  const answers = await Promise.all(
    rows.map(({ api, namespace }) => may({ verb: 'list', ...machinesOf(api), namespace })),
  );
  return rows.filter((_row, index) => answers[index]);
}
