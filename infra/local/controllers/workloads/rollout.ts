import type { Workload } from '../machinery/objects.ts';

/** How many Pods a Deployment wants, and how far a rollout may go above and below that. */
export interface Wanted {
  replicas: number;
  maxSurge: number;
  maxUnavailable: number;
}

/** A ReplicaSet as a rollout sees it: the size it was given, and how many of its Pods are available. */
export interface Sized {
  replicas: number;
  available: number;
}

/** The size of the newest ReplicaSet and those of the old ones, in their order. */
interface Sizes {
  newest: number;
  old: number[];
}

const quarter = '25%';

/** A surge is rounded up, and what may be unavailable down. Where both come to none, one may be unavailable. */
export function wantedOf({ spec = {} }: Workload): Wanted {
  const { replicas = 1, strategy: { rollingUpdate = {} } = {} } = spec;
  if (isRecreated({ spec })) return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = quarter, maxUnavailable = quarter } = rollingUpdate;
  const surge = Math.ceil(shareOf(maxSurge, replicas));
  const unavailable = Math.min(replicas, Math.floor(shareOf(maxUnavailable, replicas)));
  return {
    replicas,
    maxSurge: surge,
    maxUnavailable: surge === 0 && unavailable === 0 && replicas > 0 ? 1 : unavailable,
  };
}

/** Whether all old Pods go before the first new one comes. */
export const isRecreated = ({ spec }: Pick<Workload, 'spec'>): boolean => spec?.strategy?.type === 'Recreate';

const shareOf = (value: number | string, replicas: number): number =>
  typeof value === 'number' ? value : (Number.parseInt(value, 10) * replicas) / 100;

/** One step of a rolling update: the new set grows as far as it may. Only where it may not, old ones shrink. */
export function rollingStep(wanted: Wanted, newest: Sized, old: readonly Sized[]): Sizes {
  const kept = old.map(({ replicas }) => replicas);
  if (newest.replicas > wanted.replicas) return { newest: wanted.replicas, old: kept };
  const mayHave = wanted.replicas + wanted.maxSurge - total([newest, ...old]);
  const room = Math.min(mayHave, wanted.replicas - newest.replicas);
  return room > 0
    ? { newest: newest.replicas + room, old: kept }
    : { newest: newest.replicas, old: smaller(wanted, newest, old) };
}

/** Pods that are not available go first: they cost nothing. Then as many as leave enough that are. */
function smaller(wanted: Wanted, newest: Sized, old: readonly Sized[]): number[] {
  const least = wanted.replicas - wanted.maxUnavailable;
  // Pods that are still to come count as away.
  let room = total([newest, ...old]) - least - (newest.replicas - newest.available);
  if (room <= 0) return old.map(({ replicas }) => replicas);
  let spare = [newest, ...old].reduce((sum, { available }) => sum + available, 0) - least;
  return old
    .map(({ replicas, available }) => {
      const gone = clamped(replicas - available, room);
      room -= gone;
      return replicas - gone;
    })
    .map((replicas) => {
      const gone = clamped(replicas, spare);
      spare -= gone;
      return replicas - gone;
    });
}

const clamped = (count: number, most: number): number => Math.max(0, Math.min(count, most));

const total = (sets: readonly Sized[]): number => sets.reduce((sum, { replicas }) => sum + replicas, 0);

/** One step of a recreation: the new Pods come once no old one is left. */
export const recreatingStep = (
  { replicas }: Wanted,
  { newest, old, isOldRunning }: { newest: Sized; old: readonly Sized[]; isOldRunning: boolean },
): Sizes => ({
  newest: isOldRunning || total(old) > 0 ? newest.replicas : replicas,
  old: old.map(() => 0),
});

/** A paused one rolls nothing out. Its only set that has Pods, or the newest, is scaled all the same. */
export function pausedStep({ replicas }: Wanted, newest: Sized, old: readonly Sized[]): Sizes {
  const kept = { newest: newest.replicas, old: old.map((set) => set.replicas) };
  const active = [newest, ...old].filter((set) => set.replicas > 0);
  if (active.length > 1) return kept;
  const scaled = active[0] ?? newest;
  return {
    newest: scaled === newest ? replicas : newest.replicas,
    old: old.map((set) => (set === scaled ? replicas : set.replicas)),
  };
}
