import { besideClusterApi } from './beside/cluster-api.ts';
import { besideOpenShift } from './beside/openshift.ts';
import type { BesideOptions } from './beside/registration.ts';
import { hooks as annotatedHooks } from './capi/annotations.ts';
import { clusterApi } from './capi/index.ts';
import { peerStartTimes } from './capi/peer-stage.ts';
import type { Dialect } from './dialect.ts';
import { hooks as listedHooks } from './openshift/hooks.ts';
import { openShift } from './openshift/index.ts';
import { originalApi } from './v1alpha1/index.ts';

/** The Machine APIs by the names that people choose them by. */
export const machineApiNames = ['capi', 'openshift', 'v1alpha1'] as const;

/** Name of a Machine API, as users write it. */
export type MachineApiName = (typeof machineApiNames)[number];

/** Whether a word is the name of a Machine API. */
export const isMachineApiName = (word: string): word is MachineApiName =>
  machineApiNames.some((name) => name === word);

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

/** Whether phaseout watches the controller of a Machine API, works beside it, or in its place. */
export const modes = ['observe', 'beside', 'replace'] as const;

/** A mode, as users write it. */
export type Mode = (typeof modes)[number];

/** The Machine APIs whose own controller phaseout can work beside. */
export const besideApis = ['capi', 'openshift'] as const satisfies readonly MachineApiName[];

/** The Machine APIs of an instance. */
interface LookedAfter {
  machineApis: readonly MachineApiName[];
  /** Those that phaseout works beside the own controllers of, and how. */
  beside?: { apis: readonly MachineApiName[]; options: BesideOptions };
  /** Those that are only watched. */
  observed?: readonly MachineApiName[];
}

const besideOf: Readonly<Record<(typeof besideApis)[number], (options: BesideOptions) => Dialect>> = {
  capi: (options) => besideClusterApi(clusterApi, options),
  openshift: (options) => besideOpenShift(openShift, options),
};

/** Whether phaseout can work beside the controllers of this Machine API. */
export const hasBeside = (name: MachineApiName): name is (typeof besideApis)[number] => name in besideOf;

/** Those that an instance looks after, as it does so. */
export const dialectsOf = ({ machineApis, beside, observed: watched = [] }: LookedAfter): Dialect[] =>
  [...new Set(machineApis)].map((name) => {
    // A hook of phaseout's own, from a time beside it, holds for the API's own controller.
    if (watched.includes(name)) return observed({ ...byName[name], ...asPeerSees[name] });
    return beside?.apis.includes(name) === true && hasBeside(name)
      ? besideOf[name](beside.options)
      : byName[name];
  });

const asPeerSees: Readonly<Partial<Record<MachineApiName, Partial<Dialect>>>> = {
  capi: { hooks: annotatedHooks, startTimes: peerStartTimes },
  openshift: { hooks: listedHooks },
};

/** The API group of a Machine API's Machines. */
export const groupOf = (name: MachineApiName): string => byName[name].group;

/** The name of the Machine API that a resource's Machines belong to. Undefined where no known API has them. */
export const machineApiOf = ({ apiVersion, kind }: Kind): MachineApiName | undefined =>
  kind === 'Machine'
    ? machineApiNames.find((name) => apiVersion.startsWith(`${byName[name].group}/`))
    : undefined;

/**
 * A Machine API whose own controller deletes its Machines, while phaseout only watches. Nothing on a Machine is ours, and
 * phaseout puts nothing on one.
 */
export const observed = (dialect: Dialect): Dialect => ({
  ...dialect,
  isObserved: true,
  hold: { name: 'nothing of phaseout', isOn: () => false },
  finalizersOf: () => [],
  managesServers: false,
  sparesOwnMachine: false,
});
