import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { isOpenShift } from '../../../stories/stage/apis.ts';
import { type PlayedHook, secondsOf, titleOfHook } from '../../platform/functions/played.ts';
import { farGrace, wasSoAround } from './apart.ts';
import type { Case } from './judging.ts';
import {
  clusterOf,
  isDeleting,
  isDrainExcluded,
  isNodeForbidden,
  machineIn,
  saysDrained,
} from './machine.ts';
import type { View } from './past.ts';
import { type PausesOf, watchPauses } from './pauses.ts';
import { callIn, turnKey } from './sent-calls.ts';
import { watchTrouble } from './trouble.ts';
import type { ToldTurn } from './turns.ts';
import type { Witness } from './witness.ts';

/** Whether a turn may end as an instance says. Answers with what is wrong, or with undefined. */
export type Grounds = (of: Case, hook: PlayedHook, turn: ToldTurn) => string | undefined;

/** What the last call has for its answer; less where it is asked more often. */
const graceMilliseconds = 30_000;
/** Times are written in whole seconds, or read a moment before. */
const toleranceMilliseconds = 1_500;
/** A pause of less than this is time in which something could be asked. */
const shortPauseMilliseconds = 60_000;

/** Judges ends of turns by what functions and people have done, by time limits and the API's own rules. */
export function watchGrounds(witness: Witness): Grounds {
  const { world } = witness;
  const pausesOf = watchPauses(witness);
  const trouble = watchTrouble(world);
  const calls = new Map<string, { first: number; last: number }>();
  let areClocksWrong = false;
  world.observers.push({
    calm: trouble.calm,
    hit(fault) {
      trouble.hit();
      areClocksWrong ||= fault === 'clock-jumps';
    },
    sent(event) {
      const call = callIn(event);
      if (call === undefined) return;
      const key = turnKey(call.hook, call.machineUid, call.begins);
      calls.set(key, { first: calls.get(key)?.first ?? world.now(), last: world.now() });
    },
  });
  const whyNotOver: Grounds = ({ plan, machine }, hook, { begin = '' }) => {
    const { timeout, onTimeout, every } = hook.spec;
    if (timeout === undefined || onTimeout !== 'Proceed') return 'nobody has decided that in advance';
    const begins = Date.parse(begin);
    const asked = calls.get(turnKey(titleOfHook(hook), machine.metadata.uid ?? '', begins));
    if (asked === undefined) return 'its function was not asked';
    if (areClocksWrong) return undefined;
    const ago = world.now() - (trouble.hasBeen() ? asked.first : asked.last);
    const grace = Math.min(graceMilliseconds, secondsOf(every) * 1_000);
    if (ago < grace - toleranceMilliseconds) return `its function was asked ${ago} ms ago`;
    const wait = (secondsOf(every) + (hook.plays.retryAfter ?? 0)) * 1_000;
    const lasted = world.now() - begins - pausedFor(pausesOf(plan, begins), wait);
    return lasted < secondsOf(timeout) * 1_000 - toleranceMilliseconds
      ? `its turn has lasted ${Math.round(lasted / 1_000)} s, and its timeout is ${timeout}`
      : undefined;
  };
  return (of, hook, turn) => {
    const title = titleOfHook(hook);
    const { uid = '' } = of.machine.metadata;
    if (turn.end === 'Done')
      return world.functions.hasSaidDone(title, uid) ? undefined : 'its function has not said Done';
    if (turn.end === 'Passed')
      return world.functions.isPassed(title, uid) ? undefined : 'no person has passed it';
    if (turn.end === 'Proceeded') return whyNotOver(of, hook, turn);
    if (turn.end !== 'Bypassed') return 'it ends in no known way';
    const isFree = (view: View): boolean => isBypassed(view, machineIn(view, of.plan) ?? of.machine, hook);
    return wasSoAround(witness, of, isFree, farGrace) ? undefined : 'the API does not pass it over';
  };
}

/** What is surely no part of a time limit. `wait`: how long after the beginning of a pause a call is due. */
const pausedFor = (pauses: ReturnType<PausesOf>, wait: number): number =>
  pauses
    .map(({ from, until }) => until - from - wait)
    .filter((late) => late > shortPauseMilliseconds && late < Infinity)
    .reduce((sum, late) => sum + late, 0);

/** The API itself lets pre-drain hooks hold nothing, or the whole Cluster goes. */
function isBypassed(view: View, machine: KubeObject, { spec }: PlayedHook): boolean {
  const cluster = clusterOf(view, machine);
  if (spec.onClusterDeletion === 'Proceed' && cluster !== undefined && isDeleting(cluster)) return true;
  if (spec.at !== 'PreDrain') return false;
  const isDrainOver = isOpenShift(machine) && (isDrainExcluded(machine) || saysDrained(machine));
  return isDrainOver || isNodeForbidden(view, machine);
}
