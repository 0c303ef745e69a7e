import type { GatedStep } from '../shared/dialects/gate.ts';
import { limitSecondsOf } from '../shared/machine/machine.ts';
import { type HandOverSeen, observeHandOver } from '../shared/observe/hand-over.ts';
import type { Decision } from '../shared/phase/decision.ts';
import { definePhase, type Subject } from '../shared/phase/definition.ts';
import { heldFor } from '../shared/phase/judge-node.ts';
import { goBack } from '../shared/phase/retreat.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

const reason = 'HandingOver';

/**
 * Beside the API's own controller: takes our hook off, and that controller continues the deletion. Looks at the Node
 * once more first. Holds a Machine whose Node is not proven its own: nothing else protects that Node.
 */
export const handOver = definePhase<HandOverSeen>({
  name: 'hand-over',
  observe: observeHandOver,
  decide,
  // The condition is our own, so it can name the cause.
  onUnavailable: (_subject, why) => retrySoon(internalError(why, why)),
});

/**
 * Takes our hook off. The API's own controller then drains again, as a second look. It skips a step whose time limit
 * is over: that limit would run twice. It also skips a drain that would evict, or wait for, Pods that stay.
 */
function decide(subject: Subject, seen: HandOverSeen): Decision {
  if (seen.kind === 'held') return heldFor(seen.ownership);
  if (seen.kind === 'unprepared') return goBack(seen.back);
  if (seen.kind === 'marked') return handedOver([], described(subject, ['drain']));
  if (seen.kind === 'let-go') {
    const report = { reason, message: `Let go without a drain: ${seen.why}` } as const;
    return { kind: 'hand-over', exclusions: [], report };
  }
  const exclusions = steps.filter((step) => isSpared(subject, step, seen.hasLeft));
  return handedOver(exclusions, described(subject, exclusions));
}

const handedOver = (exclusions: readonly GatedStep[], how: string): Decision => ({
  kind: 'hand-over',
  exclusions,
  report: { reason, message: `Handed over: ${how}` },
});

const steps: readonly GatedStep[] = ['drain', 'volume-detach'];

/** A mark means that the drain is done. A drain that timed out gets none, nor a Machine that others still hold. */
function isSpared(subject: Subject, step: GatedStep, hasLeft: boolean): boolean {
  const way = subject.dialect.beside?.skipPeerDrain;
  if (way?.by !== 'mark') return isOver(subject, step) || (step === 'drain' && hasLeft);
  return step === 'drain' && hasLeft && way.canMark(subject.machine);
}

/** Somebody may have removed the limit from the Machine since. */
const isOver = ({ machine, checkpoint: { passed } }: Subject, step: GatedStep): boolean =>
  passed[step]?.as === 'timed-out' && limitSecondsOf(step, machine) > 0;

function described(
  { checkpoint: { passed }, dialect: { phases } }: Subject,
  exclusions: readonly GatedStep[],
): string {
  const own = steps.filter((step) => phases.includes(step));
  const stands = own.map((step) => `${step} ${passed[step]?.as ?? 'not begun'}`).join(', ');
  return exclusions.length === 0 ? stands : `${stands}; not repeated: ${exclusions.join(', ')}`;
}
