import type { JsonPatchOperation } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { recordAt, textAt } from '../fields.ts';

/** Our hook in one Machine API: where it is on a Machine, how it gets there, and how it goes. */
export interface OurHook {
  /** As the API names it, and people do. */
  name: string;
  /** Who owns the hook of this name; undefined where the Machine has none. Ours is our own. */
  ownerOn(machine: KubeObject): string | undefined;
  /** What a merge patch puts it on with, at the version that was seen. */
  puttingOn(machine: KubeObject): { annotations: Readonly<Record<string, string>>; spec?: object };
  /** Takes it off, if it is still ours: a list is to be as it was seen. */
  takingOff(machine: KubeObject): JsonPatchOperation[];
  /** What has to be known of a Machine to take it off: a cluster may have thousands. */
  part(machine: KubeObject): KubeObject;
}

/** Whether the Machine has this hook, and as ours: another owner says that it is somebody else's. */
export const hasHook = (machine: KubeObject, hook: OurHook): boolean => hook.ownerOn(machine) === hookOwner;

/** Cluster API: an annotation. */
export function annotatedHook(installation: string): OurHook {
  const name = hookOf(installation);
  const path = pathOfAnnotation(name);
  return {
    name,
    ownerOn: ({ metadata }) => metadata.annotations?.[name],
    puttingOn: () => ({ annotations: { [name]: hookOwner } }),
    takingOff: () => [
      { op: 'test', path, value: hookOwner },
      { op: 'remove', path },
    ],
    part: ({ metadata }) => ({ metadata }),
  };
}

/** OpenShift: an entry of a list, which has each name once. */
export function listedHook(installation: string): OurHook {
  const name = listedHookOf(installation);
  const indexIn = (machine: KubeObject): number =>
    preDrainOf(machine).findIndex((each) => textAt(each, 'name') === name);
  return {
    name,
    ownerOn(machine) {
      const entry = preDrainOf(machine)[indexIn(machine)];
      return entry === undefined ? undefined : (textAt(entry, 'owner') ?? '');
    },
    puttingOn: (machine) => ({
      annotations: {},
      spec: { lifecycleHooks: { preDrain: [...preDrainOf(machine), { name, owner: hookOwner }] } },
    }),
    takingOff(machine) {
      const path = `/spec/lifecycleHooks/preDrain/${indexIn(machine)}`;
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

function preDrainOf({ spec }: KubeObject): readonly unknown[] {
  const { preDrain } = recordAt(spec, 'lifecycleHooks');
  return Array.isArray(preDrain) ? preDrain : [];
}

/** All that may be a pre-drain hook, of either API. */
export const preDrainHooksOn = (machine: KubeObject): { name: string; owner: string | undefined }[] => [
  ...Object.entries(machine.metadata.annotations ?? {}).map(([name, owner]) => ({ name, owner })),
  ...preDrainOf(machine).map((each) => ({ name: textAt(each, 'name') ?? '', owner: textAt(each, 'owner') })),
];

/** As JSON Patch names an annotation, by RFC 6901. */
export const pathOfAnnotation = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What phaseout writes on a Machine beside the API's own controller. Clusters have these names: they stay. */

/** The value of our hook, and the owner that it names. */
export const hookOwner = 'phaseout.dev';

/** A person, or `phaseout release`, wants no hook of ours on this Machine. Neither the sweep nor a policy puts it on. */
export const releasedAnnotation = 'phaseout.dev/released';

/** How often phaseout has put its hook on the Machine. */
export const registeredAnnotation = 'phaseout.dev/registered';

/** Type of the condition that tells how far our drain is; the API's own controller keeps it. */
export const drainingCondition = 'phaseout.dev/Draining';

/** The annotation that is our pre-drain hook. `installation`: the name that tells several of them apart, or empty. */
export const hookOf = (installation: string): string =>
  `pre-drain.delete.hook.machine.cluster.x-k8s.io/${nameOf(installation)}`;

/**
 * The same hook in a list of OpenShift. What moves a Machine between the two APIs carries it over under the same name, so one
 * owner keeps it.
 */
export const listedHookOf = (installation: string): string => nameOf(installation);

/** The Lease that says that this installation lives. The dead man takes our hooks off when it is 30 minutes old. */
export const leaseOf = (installation: string): string => nameOf(installation);

const nameOf = (installation: string): string =>
  installation === '' ? 'phaseout' : `phaseout-${installation}`;

/** Whether an annotation, or an entry of a list, is a hook of phaseout, of whatever installation. */
export const isHookOfOurs = (name: string, owner: string | undefined): boolean =>
  owner === hookOwner &&
  [hookOf(''), listedHookOf('')].some((ours) => name === ours || name.startsWith(`${ours}-`));
