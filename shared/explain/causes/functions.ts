import type { Standing } from '../../hooks/times.ts';
import { standingAt } from '../../hooks/turn.ts';
import { standingText } from '../../hooks/words.ts';
import { placeOf, pointOf } from '../../machine/hook-call.ts';
import { isBefore } from '../../machine/phase.ts';
import type { PlannedFunction } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';
import { unaskedTexts } from '../plan-words.ts';
import type { Seen } from '../seen.ts';

/** Functions that hold a Machine now; of one that lives all that will be asked. */
export function functionCauses(seen: Seen): Cause[] {
  const turns = turnsOf(seen);
  if (turns.length > 0) return turns.map(turnCause);
  const { standing } = seen;
  return toAsk(seen)
    .filter(({ place }) => standing === undefined || standing.phase === pointOf[place])
    .map(aheadCause);
}

/** What is asked after that, a sentence each. */
export function functionsToCome(seen: Seen): string[] {
  const here = seen.standing?.phase;
  if (here === undefined) return [];
  const turns = turnsOf(seen);
  const isToCome = ({ place, hook }: PlannedFunction): boolean =>
    isBefore(here, pointOf[place]) ||
    (turns.length > 0 && here === pointOf[place] && !turns.some(({ asked }) => asked.name === hook));
  return toAsk(seen)
    .filter(isToCome)
    .map((each) => `${pointOf[each.place]}: ${aheadText(each)}`);
}

/** Those that select the Machine and ask nothing for it, and why, a sentence each. */
export const unaskedIn = ({ plan }: Seen): string[] => unaskedTexts(plan);

const toAsk = ({ plan: { functions = [] } }: Seen): PlannedFunction[] =>
  functions.filter(({ whyNot }) => whyNot === undefined);

/** The turns that phaseout has begun, as the Machine says. */
function turnsOf({ machine, standing, now }: Seen): Standing[] {
  const { carriedBy, phase } = standing ?? {};
  if (carriedBy !== 'phaseout' || (phase !== 'pre-drain' && phase !== 'pre-terminate')) return [];
  return standingAt(machine, placeOf[phase], now);
}

const turnCause = (turn: Standing): Cause => {
  const { name, place, contact, runbook, timeoutSeconds, onTimeout } = turn.asked;
  const proceeds = onTimeout === 'Proceed' && { proceedsAfterSeconds: timeoutSeconds };
  return {
    ...functionCause({ hook: name, place, ...proceeds, contact, runbook }),
    what: standingText(turn),
  };
};

const aheadCause = (each: PlannedFunction): Cause => ({ ...functionCause(each), what: aheadText(each) });

const aheadText = ({ hook, place, unclear }: PlannedFunction): string =>
  hook === undefined ? `it waits: ${unclear}` : `DeletionHook ${hook} asks its function at ${place}`;

type About = {
  [Field in 'hook' | 'contact' | 'runbook' | 'proceedsAfterSeconds']?: PlannedFunction[Field] | undefined;
} & Pick<PlannedFunction, 'place'>;

function functionCause({
  place,
  hook,
  contact,
  runbook,
  proceedsAfterSeconds: seconds,
}: About): Omit<Cause, 'what'> {
  const common = {
    kind: 'hook',
    phase: pointOf[place],
    details: runbook === undefined ? [] : [runbook],
  } as const;
  if (hook === undefined)
    return { ...common, endsByItself: 'no', why: 'somebody has to correct the DeletionHook' };
  return {
    ...common,
    hook,
    owner: contact ?? `the function of DeletionHook ${hook}`,
    endsByItself: seconds === undefined ? 'unknown' : 'yes',
    why:
      seconds === undefined
        ? 'its function has to answer Done; phaseout hooks pass lets the Machine go on without'
        : `its function answers Done, or its timeout of ${seconds} s ends`,
  };
}
