import { UsageError } from '../terminal/usage-error.ts';
import { type ApiName, apiGroups, isApiName } from './api-names.ts';

/** A Machine as it is named on the command line. */
export interface MachineName {
  /** Its Machine API; undefined means any that has this name. */
  api?: ApiName;
  namespace: string;
  name: string;
}

/** `NAMESPACE/NAME`, or `openshift:NAMESPACE/NAME` where several Machine APIs have one of that name. Throws UsageError. */
export function parseMachineName(text: string): MachineName {
  const [prefix, rest] = text.includes(':') ? text.split(':', 2) : [undefined, text];
  const [namespace, name, more] = rest?.split('/') ?? [];
  if (!namespace || !name || more !== undefined || text.split(':').length > 2) {
    throw new UsageError(`a Machine is named NAMESPACE/NAME, not ${JSON.stringify(text)}`);
  }
  if (prefix === undefined) return { namespace, name };
  if (isApiName(prefix)) return { api: prefix, namespace, name };
  const known = Object.keys(apiGroups).join(', ');
  throw new UsageError(`there is no Machine API ${JSON.stringify(prefix)} (there are ${known})`);
}

/** The name as the user typed it. */
export const asTyped = (named: MachineName): string =>
  named.api === undefined ? withoutApi(named) : `${named.api}:${withoutApi(named)}`;

export const withoutApi = ({ namespace, name }: Omit<MachineName, 'api'>): string => `${namespace}/${name}`;
