import { clusterApi } from './capi/index.ts';
import type { Dialect } from './dialect.ts';
import { openShift } from './openshift/index.ts';
import { originalApi } from './v1alpha1/index.ts';

/** The Machine APIs by the names that people choose them by. */
export const machineApiNames = ['capi', 'openshift', 'v1alpha1'] as const;

/** Name of a Machine API, as users write it. */
export type MachineApiName = (typeof machineApiNames)[number];

const byName: Readonly<Record<MachineApiName, Dialect>> = {
  capi: clusterApi,
  openshift: openShift,
  v1alpha1: originalApi,
};

interface Kind {
  apiVersion: string;
  kind: string;
}

/** Every Machine API whose Machines can be taken out of service. */
export const dialects: readonly Dialect[] = Object.values(byName);

/** Those that an instance is to look after. */
export const dialectsOf = ({ machineApis }: { machineApis: readonly MachineApiName[] }): Dialect[] => [
  ...new Set(machineApis.map((name) => byName[name])),
];

/** The name of the Machine API that a resource's Machines are of; undefined where they are of none that is known. */
export const machineApiOf = ({ apiVersion, kind }: Kind): MachineApiName | undefined =>
  kind === 'Machine'
    ? machineApiNames.find((name) => apiVersion.startsWith(`${byName[name].group}/`))
    : undefined;
