import { isDeepStrictEqual } from 'node:util';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { phaseOrder, type Stand, writtenStand } from './sight/checkpoint.ts';
import { versionIn } from './sight/json-patch.ts';
import { judging } from './sight/judging.ts';
import { checkpointKey } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Transition, transitionOf } from './sight/transition.ts';
import { witnessOf } from './sight/witness.ts';

export const checkpointGoesForward: Invariant = {
  name: 'a checkpoint only goes forward, by no more steps than phases, and never over a change that was not seen',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const late = countLate();
    return judging(
      witness,
      ['write Machine', 'hand over'],
      (effect) => {
        const { exchange, object } = effect;
        if (object !== undefined && writtenStand(exchange, object) === 'unusable')
          return `it writes a checkpoint that nobody could read: ${textAt(exchange.body, 'metadata', 'annotations', checkpointKey)}`;
        const transition = transitionOf(effect);
        if (transition === undefined) return undefined;
        const version = versionIn(exchange.body);
        if (version === undefined) return 'the checkpoint is written without a resourceVersion';
        // The server refuses it: it was made from an older Machine.
        if (version !== transition.machine.metadata.resourceVersion) return undefined;
        const mayBeStamped =
          witness.reads.haveClocksJumped() || witness.isTampered(transition.machine.metadata.uid ?? '');
        if (mayBeStamped && isStampedAnew(transition.before, transition.after)) return undefined;
        if (!isBegunLate(transition, witness.reads.haveClocksJumped()))
          return wrongStep(transition.before, transition.after);
        if (witness.isTampered(transition.machine.metadata.uid ?? '')) return undefined;
        return late.isTooOften(transition, effect) ? 'its phase begins again and again' : undefined;
      },
      violated,
    );
  },
};

/** The same one, with starts that a clock had put into the future: none is put off. */
const isStampedAnew = (before: Stand | undefined, after: Stand): boolean =>
  before !== undefined &&
  after.since <= before.since &&
  isDeepStrictEqual({ ...after, since: before.since, reached: before.reached }, before);

/**
 * An instance that stands still in the first try of all restarts the phase. So does one that finds the time over before
 * its own first try. It does not know of earlier tries if no status could be written.
 */
const maxTimes = 3;

function countLate() {
  const times = new Map<string, number>();
  return {
    isTooOften({ machine, after }: Transition, { actor }: Effect): boolean {
      const key = `${actor.instance} ${machine.metadata.uid} ${after.seq}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      return (times.get(key) ?? 0) > maxTimes;
    },
  };
}

/** The same checkpoint, but its time limit starts only now. That may be the very millisecond in which its phase began. */
const isBegunLate = ({ before, after }: Transition, mayBeEarlier: boolean): boolean =>
  before !== undefined &&
  (mayBeEarlier || after.since >= before.since) &&
  isDeepStrictEqual(after, { ...before, since: after.since, reached: before.reached ?? before.since });

/** Where something has come to the Node that has to go before its server. */
const stepsBack: Readonly<Record<string, readonly string[]>> = {
  'volume-detach': ['drain'],
  'pre-terminate': ['drain', 'volume-detach'],
  'hand-over': ['drain', 'volume-detach'],
  infrastructure: ['drain', 'volume-detach'],
};

const at = (phase: string): number => phaseOrder.indexOf(phase);

/** A step may pass several phases before it writes. The first checkpoint may also come after several phases. */
function wrongStep(before: Stand | undefined, after: Stand): string | undefined {
  const came = after.seq - (before?.seq ?? 0);
  // The patch that takes our last hook off counts, and its phase is the last one that is ours.
  const isLast = after.phase === 'hand-over' || after.phase === 'pre-terminate';
  const letGo = isLast && after.released !== undefined ? 1 : 0;
  const phases = at(after.phase) - at(before?.phase ?? 'pre-drain') + letGo;
  if (before === undefined) return wrongFirst(after, phases);
  const isBack = isSentBack(before.phase, after.phase, came);
  const most = isBack ? at('infrastructure') - at(before.phase) + 1 : Math.max(1, phases);
  if (came < 1 || came > most) return `seq ${after.seq} follows ${before.seq}`;
  return isBack || phases > 0 ? undefined : `${after.phase} follows ${before.phase}`;
}

/** Phases may be passed before it is written, and gone back from. */
function wrongFirst({ seq, phase }: Stand, phases: number): string | undefined {
  const most = isSentBack('pre-drain', phase, seq) ? at('infrastructure') + 1 : phases;
  return seq > most ? `the first checkpoint has seq ${seq} at ${phase}` : undefined;
}

/** It may have come to the very phase that sends it back. */
function isSentBack(from: string, to: string, came: number): boolean {
  const on = came > 1 ? phaseOrder.slice(at(from)) : [from];
  return on.some((phase) => stepsBack[phase]?.includes(to) === true);
}
