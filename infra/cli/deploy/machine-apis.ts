import type { MachineApiName } from '../../../shared/dialects/registry.ts';
import { type MachineApi, NoMachineApi, servedMachineApis } from '../../host/served-machine-apis.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { apiNameOf } from '../api-names.ts';
import type { Site } from './site.ts';

/**
 * The Machine APIs that the cluster serves, of those that are wanted where any are named. Throws CannotDo where it
 * serves none, or not one that was named.
 */
export async function findMachineApis(
  site: Site,
  wanted: readonly MachineApiName[] | undefined,
): Promise<MachineApiVersions> {
  const served = Object.fromEntries((await allServed(site)).map(nameAndVersion));
  const missing = wanted?.filter((name) => !(name in served)) ?? [];
  if (missing.length > 0) {
    throw new CannotDo(
      `there are no Machines of ${missing.join(', ')} here: ${site.where} does not serve them`,
    );
  }
  const isChosen = (name: string): boolean => wanted?.some((one) => one === name) !== false;
  const chosen = Object.fromEntries(Object.entries(served).filter(([name]) => isChosen(name)));
  const left = Object.keys(served).filter((name) => !isChosen(name));
  site.tell({ event: 'found', text: textOf(chosen, left) });
  return chosen;
}

async function allServed({ kubernetes, where }: Site): Promise<MachineApi[]> {
  try {
    return await servedMachineApis(kubernetes, where);
  } catch (error) {
    if (error instanceof NoMachineApi) throw new CannotDo(`${error.message}: install a Machine API first`);
    throw error;
  }
}

const nameAndVersion = ({ dialect, apiVersion }: MachineApi) =>
  [apiNameOf(dialect.group), apiVersion] as const;

function textOf(chosen: MachineApiVersions, left: readonly string[]): string {
  const names = Object.entries(chosen).map(([name, apiVersion]) => `${name} (${apiVersion})`);
  const others = left.length === 0 ? '' : `; served, but not looked after: ${left.join(', ')}`;
  return `Machine APIs: ${names.join(', ')}${others}`;
}
