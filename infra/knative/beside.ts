import { leaseOf } from '../../shared/dialects/beside/hook.ts';
import { type MachineApiName, type Mode, machineApiNames } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { mode } from '../../shared/runtime/mode.ts';
import type { Installation } from './installed.ts';

/** How an installation works with the own controller of a Machine API. A mode that cannot be read is refused elsewhere. */
export const modeIn = (machineApi: MachineApiName, variables: Readonly<Record<string, string>>): Mode =>
  mode.safeParse(variables['PHASEOUT_MODE'] || 'replace').data?.[machineApi] ?? 'replace';

/** How an installation works with the Machine APIs' own controllers, as its variables say. */
export interface Beside {
  /** Those whose controllers go on, and wait for phaseout's hook. */
  apis: readonly MachineApiName[];
  /** The name that is part of the hook; empty where it has none. */
  installation: string;
}

/** By what these variables are set to. */
export function besideIn(variables: Readonly<Record<string, string>>): Beside {
  const apis = machineApiNames.filter((name) => modeIn(name, variables) === 'beside');
  return { apis, installation: variables['PHASEOUT_INSTALLATION'] ?? '' };
}

/** The variable that names the Lease of an installation. */
export function leaseVariable(
  variables: Readonly<Record<string, string>>,
  namespace: string,
): Record<string, string> {
  const { apis, installation } = besideIn(variables);
  return apis.length > 0 ? { PHASEOUT_LEASE: `${namespace}/${leaseOf(installation)}` } : {};
}

/** The functions renew it. It comes before them, since an absent one counts as that of an installation that is gone. */
export const ownLease = ({ file: { namespace }, environment }: Installation): KubeObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: leaseOf(besideIn(environment).installation), namespace },
});
