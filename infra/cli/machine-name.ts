import { isMachineApiName, type MachineApiName, machineApiNames } from '../../shared/dialects/registry.ts';
import { didYouMean, nearTo } from '../terminal/near.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** A Machine as it is named on the command line. */
export interface MachineName {
  /** Its Machine API; undefined means any that has this name. */
  api?: MachineApiName;
  namespace: string;
  name: string;
}

/** The same where the namespace is not said yet. */
export type TypedName = Omit<MachineName, 'namespace'> & Partial<Pick<MachineName, 'namespace'>>;

/**
 * `NAMESPACE/NAME`, or `NAME` in the namespace of `-n`; `openshift:` before it where several Machine APIs have one of that name.
 * Throws UsageError.
 */
export function parseMachineName(text: string, within?: string): MachineName {
  const { namespace, ...typed } = typedMachineName(text, within);
  if (namespace === undefined) throw new UsageError(`${howNamed}, not ${JSON.stringify(text)}`);
  return { ...typed, namespace };
}

/** The same where a name alone may do. Throws UsageError. */
export function typedMachineName(text: string, within?: string): TypedName {
  const [prefix, rest] = text.includes(':') ? text.split(':', 2) : [undefined, text];
  const [first = '', second, more] = rest?.split('/') ?? [];
  const isWrong = first === '' || second === '' || more !== undefined || text.split(':').length > 2;
  if (isWrong) throw new UsageError(`${howNamed}, not ${JSON.stringify(text)}`);
  const api = prefix === undefined ? {} : { api: apiIn(prefix) };
  if (second === undefined)
    return { ...api, ...(within !== undefined && { namespace: within }), name: first };
  mustBeWithin(within, first, text);
  return { ...api, namespace: first, name: second };
}

/** Throws UsageError where `-n` says another namespace than the name. */
export function mustBeWithin(within: string | undefined, namespace: string, text: string): void {
  if (within !== undefined && within !== namespace)
    throw new UsageError(`--namespace says ${within}, and ${text} is of the namespace ${namespace}`);
}

export const howNamed = 'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE';

function apiIn(prefix: string): MachineApiName {
  if (isMachineApiName(prefix)) return prefix;
  const meant = didYouMean(nearTo(prefix, machineApiNames));
  throw new UsageError(
    `there is no Machine API ${JSON.stringify(prefix)} (there are ${machineApiNames.join(', ')})${meant}`,
  );
}

/** The name as the user typed it. */
export const asTyped = (named: MachineName): string =>
  named.api === undefined ? withoutApi(named) : `${named.api}:${withoutApi(named)}`;

export const withoutApi = ({ namespace, name }: Omit<MachineName, 'api'>): string => `${namespace}/${name}`;
