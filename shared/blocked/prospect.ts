import { type Pod, uidOf } from '../kubernetes/objects.ts';
import type { LastingCause } from '../machine/lasting-cause.ts';
import type { Instant } from '../time/clock.ts';
import type { BlockedAction, Ruling } from './entry.ts';
import type { RolloutVerdict } from './rollout.ts';

/** The outcome of an action that this look has tried. */
export type Tried = { kind: 'done' } | { kind: 'failed'; why: string };

/** Where an action for a Pod stands. */
export type Outlook =
  /** The cause has not lasted long enough. `unmet`: what would keep a restart from being made, as far as it was read. */
  | { kind: 'later'; unmet: readonly string[] }
  /** `PHASEOUT_ACTIONS` does not grant it. */
  | { kind: 'not-granted' }
  | { kind: 'due' }
  | { kind: 'tried'; outcome: Tried }
  | RolloutVerdict;

/** What is done about a Pod that is not let go, by which policy, and when. */
export interface Prospect extends Ruling {
  pod: Pod;
  lasting: LastingCause;
  /** When the action is due. */
  at: Instant;
  outlook: Outlook;
}

/** A Pod with the entry that decides for it. */
export interface Ruled extends Ruling {
  pod: Pod;
  lasting: LastingCause;
}

/** When the action of an entry is due. */
export const dueAt = ({ entry, lasting }: Pick<Ruled, 'entry' | 'lasting'>): Instant =>
  lasting.since + entry.after * 1_000;

interface Standing {
  granted: ReadonlySet<BlockedAction>;
  tried: ReadonlyMap<string, Tried>;
  /** Of a restart, once it was read. */
  rollout: RolloutVerdict | undefined;
  now: Instant;
}

/** Where the action for a Pod stands. A Pod that an action was tried for in this look is not acted on again in it. */
export function prospectOf(ruled: Ruled, standing: Standing): Prospect {
  return { ...ruled, at: dueAt(ruled), outlook: outlookOf(ruled, standing) };
}

function outlookOf(ruled: Ruled, { granted, tried, rollout, now }: Standing): Outlook {
  const { pod, entry } = ruled;
  if (!granted.has(entry.action)) return { kind: 'not-granted' };
  const outcome = tried.get(uidOf(pod));
  if (outcome !== undefined) return { kind: 'tried', outcome };
  if (dueAt(ruled) > now) return { kind: 'later', unmet: rollout?.kind === 'unmet' ? rollout.why : [] };
  if (entry.action === 'Delete') return { kind: 'due' };
  return rollout ?? { kind: 'unmet', why: ['its Deployment was not read'] };
}

/** Those to act on now; of several Pods of one Deployment the first. */
export function dueNow(prospects: readonly Prospect[]): Prospect[] {
  const restarted = new Set<string>();
  return prospects.filter(({ outlook }) => {
    if (outlook.kind === 'due') return true;
    if (outlook.kind !== 'ready' || restarted.has(outlook.deployment.uid)) return false;
    restarted.add(outlook.deployment.uid);
    return true;
  });
}

/** The times at which an action becomes due. */
export const dueLater = (prospects: readonly Prospect[]): Instant[] =>
  prospects.flatMap(({ at, outlook }) => (outlook.kind === 'later' ? [at] : []));
