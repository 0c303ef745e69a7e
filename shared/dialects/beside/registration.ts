import { deletedForMove, isDeleting, type Machine } from '../../machine/machine.ts';
import {
  type HookLists,
  hasHook,
  hooksOn,
  installationIn,
  isHookOfOurs,
  type OurHook,
  releasedAnnotation,
} from './hook.ts';

/** As a merge patch has them. */
type Annotations = Readonly<Record<string, string | null>>;

/** What becomes of a living Machine's hook. */
export type Registration =
  | { kind: 'none' }
  /** A hook is to be put on, or taken off. */
  | { kind: 'due'; deed: 'put on' | 'taken off'; annotations: Annotations; spec?: HookLists }
  /** Others take the hook off each time. */
  | { kind: 'given-up'; why: string };

/** Put on so often at most: who takes it off twice means it. */
const mostTimes = 2;

const none: Registration = { kind: 'none' };

/**
 * Whether a living Machine lacks our hook. A Machine that is being deleted never gets it. The API's own controller may be
 * anywhere, and would stop with the server half gone.
 */
export function registration(machine: Machine, options: BesideOptions, hook: OurHook): Registration {
  const { annotations, raw } = machine;
  if (isDeleting(machine) || hook.ownerOn(raw) !== undefined || !isWanted(machine, options)) return none;
  if (hasHookOfAnother(machine, hook)) return none;
  const times = timesOf(annotations[hook.counter]);
  if (times >= mostTimes)
    return { kind: 'given-up', why: `others have taken the hook ${hook.name} off twice` };
  const { annotations: own, ...rest } = hook.puttingOn(raw);
  const put = { ...own, [hook.counter]: String(times + 1) };
  return { kind: 'due', deed: 'put on', annotations: put, ...rest };
}

/** Whether a living Machine has a hook of ours that nothing asks for any more. Phaseout may put it on again. */
export function leftOver(machine: Machine, hook: OurHook): Registration {
  if (isDeleting(machine) || !hasHook(machine.raw, hook)) return none;
  const { annotations, ...rest } = hook.leavingOut(machine.raw);
  return { kind: 'due', deed: 'taken off', annotations: { ...annotations, [hook.counter]: null }, ...rest };
}

/** A Machine that has had our hook is not late without it: somebody has taken it off. */
export const isLate = (machine: Machine, options: BesideOptions, hook: OurHook): boolean =>
  isDeleting(machine) &&
  hook.ownerOn(machine.raw) === undefined &&
  !(hook.counter in machine.annotations) &&
  isWanted(machine, options);

/** Two installations with hooks on one Machine would wait for each other. They would also answer each other's words. */
const hasHookOfAnother = ({ raw }: Machine, hook: OurHook): boolean =>
  hooksOn(raw).some(
    ({ name, owner }) => isHookOfOurs(name, owner) && installationIn(name) !== installationIn(hook.name),
  );

const isWanted = (machine: Machine, options: BesideOptions): boolean =>
  !(releasedAnnotation in machine.annotations || deletedForMove in machine.annotations) &&
  isSelected(machine, options);

/** Somebody may have written anything there: then it is as often as it may be. */
function timesOf(text = '0'): number {
  return /^\d+$/.test(text) ? Number(text) : mostTimes;
}

/** What an installation beside the API's own controller looks after. */
export interface BesideOptions {
  /** Tells several installations of one cluster apart; empty where there is one. */
  installation: string;
  /** Hooks of others that go after ours: they hold nothing of our part. Whole annotations, or what follows the slash. */
  hooksAfter: readonly string[];
  /** Labels of the Machines that get our hook. */
  selects(labels: Readonly<Record<string, string>>): boolean;
  /** Whether control plane Machines get it too. */
  controlPlanes: boolean;
  /** Whether Machines of MachinePools get it too. */
  machinePools: boolean;
  /** Where phaseout itself and its store run, if that is known. */
  ownNamespace?: string | undefined;
  /** Whether a Machine that is excluded from drains is drained all the same. */
  drainsExcluded: boolean;
}

const poolLabel = 'cluster.x-k8s.io/pool-name';

/** Which Machines an installation wants to hold. */
type Selection = Pick<BesideOptions, 'selects' | 'controlPlanes' | 'machinePools'>;

/** Whether a Machine is one of those that get our hook. One that has it already is ours to release, whatever this says. */
export function isSelected(
  { labels, isControlPlane }: Pick<Machine, 'labels' | 'isControlPlane'>,
  { selects, controlPlanes, machinePools }: Selection,
): boolean {
  if (isControlPlane && !controlPlanes) return false;
  if (poolLabel in labels && !machinePools) return false;
  return selects(labels);
}
