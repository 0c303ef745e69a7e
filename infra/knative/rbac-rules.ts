import type { MachineApiName, Mode } from '../../shared/dialects/registry.ts';
import type { Permission, Side } from '../serverless/permissions-schema.ts';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

/** Who needs permissions, for Machines of an API, in a mode. What is only watched has a list of its own. */
export const isFor =
  (machineApi: MachineApiName, side: Side, mode: Mode) =>
  (permission: Permission): boolean =>
    permission.side === side &&
    permission.for?.includes(machineApi) !== false &&
    (permission.mode === undefined ? mode !== 'observe' : permission.mode === mode);

/** The permissions as rules, all verbs for the same resources in one. */
export function rulesOf(permissions: readonly Permission[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const { apiGroups, resources, verbs } of permissions) {
    const key = JSON.stringify([apiGroups, resources]);
    const known = rules.get(key)?.verbs ?? [];
    rules.set(key, { apiGroups, resources, verbs: [...new Set([...known, ...verbs])] });
  }
  return [...rules.values()];
}
