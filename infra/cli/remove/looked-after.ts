import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { besideIn, modeIn } from '../../knative/beside.ts';
import { apiNameOf } from '../api-names.ts';
import { variablesIn } from '../deploy/variables.ts';

/** Which Machines an installation is for, as its configuration says. */
export interface LookedAfter {
  /** All if undefined. */
  machineApis: readonly string[] | undefined;
  /** Those of all if undefined. */
  namespaces: readonly string[] | undefined;
  /** All if empty. */
  watchFilter: string;
  /** Their own controllers delete their Machines, and wait for the hook alone. */
  besideApis?: readonly string[];
  /** Whose own controllers delete the Machines, while phaseout only watches. */
  observed?: readonly MachineApiName[];
}

/** What these ConfigMaps say, or all Machines where there is none. */
export function lookedAfterIn(configMaps: readonly KubeObject[]): LookedAfter {
  const variables = variablesIn(configMaps);
  const valueOf = (name: string): string => variables.get(name) ?? '';
  const settings = Object.fromEntries(variables);
  return {
    machineApis: namesIn(valueOf('PHASEOUT_MACHINE_APIS')),
    namespaces: namesIn(valueOf('PHASEOUT_NAMESPACES')),
    watchFilter: valueOf('PHASEOUT_WATCH_FILTER'),
    besideApis: besideIn(settings).apis,
    observed: machineApiNames.filter((name) => modeIn(name, settings) === 'observe'),
  };
}

const namesIn = (words: string): string[] | undefined =>
  words === '' ? undefined : words.split(',').map((word) => word.trim());

export function isLookedAfter(
  { metadata }: KubeObject,
  { group, watchFilterLabel }: Dialect,
  { machineApis, namespaces, watchFilter }: LookedAfter,
): boolean {
  if (machineApis?.includes(apiNameOf(group)) === false) return false;
  if (namespaces?.includes(metadata.namespace ?? '') === false) return false;
  if (watchFilter === '' || watchFilterLabel === undefined) return true;
  return metadata.labels?.[watchFilterLabel] === watchFilter;
}

/** Whether there may be Machines that are looked after before and not after. */
export const mayBeLess = (before: LookedAfter, after: LookedAfter): boolean =>
  areFewer(before.machineApis, after.machineApis) ||
  areFewer(before.namespaces, after.namespaces) ||
  ![before.watchFilter, ''].includes(after.watchFilter);

/** Undefined is all. */
const areFewer = (before: readonly string[] | undefined, after: readonly string[] | undefined): boolean =>
  after !== undefined && (before === undefined || before.some((name) => !after.includes(name)));
