import type { JsonPatchOperation } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { type HookPlace, hookPlaces, pointOf } from '../../machine/hook-call.ts';
import { recordAt, textAt } from '../fields.ts';

/** Our hook at one place, in one Machine API. It says where it is on a Machine, how it gets there, and how it goes. */
export interface OurHook {
  /** Where in a deletion it holds the API's own controller. */
  place: HookPlace;
  /** As the API names it, and people do. */
  name: string;
  /** The annotation that counts how often phaseout has put it on the Machine. */
  counter: string;
  /** Who owns the hook of this name; undefined where the Machine has none. Ours is our own. */
  ownerOn(machine: KubeObject): string | undefined;
  /** What a merge patch puts it on with, at the version that was seen. */
  puttingOn(machine: KubeObject): { annotations: Readonly<Record<string, string>>; spec?: HookLists };
  /** What a merge patch takes it off with, at the version that was seen. */
  leavingOut(machine: KubeObject): { annotations: Readonly<Record<string, null>>; spec?: HookLists };
  /** Takes it off, if it is still ours: a list is to be as it was seen. */
  takingOff(machine: KubeObject): JsonPatchOperation[];
  /** What has to be known of a Machine to take it off: a cluster may have thousands. */
  part(machine: KubeObject): KubeObject;
}

/** Lists of hooks, as a merge patch of a Machine's spec has them. */
export interface HookLists {
  lifecycleHooks: Readonly<Record<string, readonly unknown[] | null>>;
}

/** Our hooks in one Machine API, by their place. */
export type OurHooks = Readonly<Record<HookPlace, OurHook>>;

/** The same in a row: the one before the drain first. */
export const listOf = (hooks: OurHooks): OurHook[] => hookPlaces.map((place) => hooks[place]);

/** Whether the Machine has this hook, and as ours: another owner says that it is somebody else's. */
export const hasHook = (machine: KubeObject, hook: OurHook): boolean => hook.ownerOn(machine) === hookOwner;

/** Cluster API: annotations. */
export const annotatedHooks = (installation: string): OurHooks => ({
  PreDrain: annotatedHook('PreDrain', installation),
  PreTerminate: annotatedHook('PreTerminate', installation),
});

/** OpenShift: an entry of a list for each place. A list has each name once. */
export const listedHooks = (installation: string): OurHooks => ({
  PreDrain: listedHook('PreDrain', installation),
  PreTerminate: listedHook('PreTerminate', installation),
});

function annotatedHook(place: HookPlace, installation: string): OurHook {
  const name = hookOf(installation, place);
  const path = pathOfAnnotation(name);
  return {
    place,
    name,
    counter: counterOf[place],
    ownerOn: ({ metadata }) => metadata.annotations?.[name],
    puttingOn: () => ({ annotations: { [name]: hookOwner } }),
    leavingOut: () => ({ annotations: { [name]: null } }),
    takingOff: () => [
      { op: 'test', path, value: hookOwner },
      { op: 'remove', path },
    ],
    part: ({ metadata }) => ({ metadata }),
  };
}

function listedHook(place: HookPlace, installation: string): OurHook {
  const name = listedHookOf(installation);
  const list = listNames[place];
  const indexIn = (machine: KubeObject): number =>
    hookListOf(machine, place).findIndex((each) => textAt(each, 'name') === name);
  return {
    place,
    name,
    counter: counterOf[place],
    ownerOn(machine) {
      const entry = hookListOf(machine, place)[indexIn(machine)];
      return entry === undefined ? undefined : (textAt(entry, 'owner') ?? '');
    },
    puttingOn: (machine) => ({
      annotations: {},
      spec: { lifecycleHooks: { [list]: [...hookListOf(machine, place), { name, owner: hookOwner }] } },
    }),
    leavingOut(machine) {
      const others = hookListOf(machine, place).filter((_, index) => index !== indexIn(machine));
      const left = others.length === 0 ? null : others;
      return { annotations: {}, spec: { lifecycleHooks: { [list]: left } } };
    },
    takingOff(machine) {
      const path = `/spec/lifecycleHooks/${list}/${indexIn(machine)}`;
      return [
        { op: 'test', path, value: { name, owner: hookOwner } },
        { op: 'remove', path },
      ];
    },
    part({ metadata, spec, status }) {
      const { lifecycleHooks, authoritativeAPI } = recordAt(spec);
      const { authoritativeAPI: now } = recordAt(status);
      return { metadata, spec: { lifecycleHooks, authoritativeAPI }, status: { authoritativeAPI: now } };
    },
  };
}

const listNames = { PreDrain: 'preDrain', PreTerminate: 'preTerminate' } as const satisfies Record<
  HookPlace,
  string
>;

function hookListOf({ spec }: KubeObject, place: HookPlace): readonly unknown[] {
  const list = recordAt(spec, 'lifecycleHooks')[listNames[place]];
  return Array.isArray(list) ? list : [];
}

/** All that may be a hook, of either API. */
export const hooksOn = (machine: KubeObject): { name: string; owner: string | undefined }[] => [
  ...Object.entries(machine.metadata.annotations ?? {}).map(([name, owner]) => ({ name, owner })),
  ...hookPlaces
    .flatMap((place) => hookListOf(machine, place))
    .map((each) => ({ name: textAt(each, 'name') ?? '', owner: textAt(each, 'owner') })),
];

/** As JSON Patch names an annotation, by RFC 6901. */
export const pathOfAnnotation = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What phaseout writes on a Machine beside the API's own controller. Clusters have these names: they stay. */

/** The value of our hook, and the owner that it names. */
export const hookOwner = 'phaseout.dev';

/** A person, or `phaseout release`, wants no hook of ours on this Machine. Neither the sweep nor a policy puts it on. */
export const releasedAnnotation = 'phaseout.dev/released';

/** How often phaseout has put its pre-drain hook on the Machine. */
export const registeredAnnotation = 'phaseout.dev/registered';

const counterOf: Readonly<Record<HookPlace, string>> = {
  PreDrain: registeredAnnotation,
  PreTerminate: 'phaseout.dev/registered-pre-terminate',
};

/** Type of the condition that tells how far our drain is; the API's own controller keeps it. */
export const drainingCondition = 'phaseout.dev/Draining';

/** The annotation that is our hook. `installation`: the name that tells several of them apart, or empty. */
export const hookOf = (installation: string, place: HookPlace = 'PreDrain'): string =>
  `${pointOf[place]}.delete.hook.machine.cluster.x-k8s.io/${nameOf(installation)}`;

/**
 * The same hook in a list of OpenShift. What moves a Machine between the two APIs carries it over under the same name, so one
 * owner keeps it.
 */
export const listedHookOf = (installation: string): string => nameOf(installation);

/** The Lease that says that this installation lives. The dead man takes our hooks off when it is 30 minutes old. */
export const leaseOf = (installation: string): string => nameOf(installation);

const nameOf = (installation: string): string =>
  installation === '' ? 'phaseout' : `phaseout-${installation}`;

/** Whether an annotation, or an entry of a list, is a hook of phaseout, of whatever installation and place. */
export const isHookOfOurs = (name: string, owner: string | undefined): boolean =>
  owner === hookOwner && installationIn(name) !== undefined;

/** The name of the installation that a hook of ours ends with; empty where it has none. Undefined for other hooks. */
export function installationIn(hook: string): string | undefined {
  const ours = [...hookPlaces.map((place) => hookOf('', place)), listedHookOf('')].find(
    (each) => hook === each || hook.startsWith(`${each}-`),
  );
  return ours === undefined ? undefined : hook.slice(ours.length + 1);
}
