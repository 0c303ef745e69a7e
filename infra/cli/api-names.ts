import type { MachineApiName } from '../../shared/dialects/registry.ts';

/** The groups of the Machine APIs, by the names that the command line has for them. */
export const apiGroups = {
  capi: 'cluster.x-k8s.io',
  openshift: 'machine.openshift.io',
  v1alpha1: 'cluster.k8s.io',
} as const satisfies Record<MachineApiName, string>;

/** The command line's name for a group; the group itself where it has none. */
export const apiNameOf = (group: string): string =>
  Object.entries(apiGroups).find(([, known]) => known === group)?.[0] ?? group;
