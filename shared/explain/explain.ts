import { shortHook } from '../machine/hook-call.ts';
import { isBefore } from '../machine/phase.ts';
import type { PlannedPhase } from '../plan/deletion-plan.ts';
import type { HistoryEntry } from '../store/port.ts';
import { rfc3339Seconds } from '../time/clock.ts';
import { adviceFor } from './advice/advice.ts';
import { aheadCauses, refusalsToCome, unreadCauses } from './causes/ahead.ts';
import { functionsToCome, unaskedIn } from './causes/functions.ts';
import { holdCauses } from './causes/holds.ts';
import { hookCauses } from './causes/hooks.ts';
import { nodeCauses } from './causes/node.ts';
import { podCauses } from './causes/pods.ts';
import { policyCauses } from './causes/policies.ts';
import { referredCauses } from './causes/referred.ts';
import { refusalCauses } from './causes/refusals.ts';
import { volumeCauses } from './causes/volumes.ts';
import type { DeletionStatus } from './deletion-status.ts';
import type { Cause, Ends, Explanation, Limit, Tried } from './explanation.ts';
import type { Seen } from './seen.ts';

/** All there is to say of one Machine, from what was seen of it and of what it depends on. */
export function explain(seen: Seen): Explanation {
  const { plan, standing, history, unread } = seen;
  const causes = causesIn(seen);
  const ends = endsOf(seen, causes);
  const later = laterIn(seen);
  const unasked = unaskedIn(seen);
  return {
    machine: plan.machine,
    verdict: verdictOf(seen, causes),
    ...(standing !== undefined && { standing }),
    phases: plan.phases,
    causes,
    endsByItself: ends,
    givenUp: limitsIn(seen),
    advice: adviceFor(seen, causes, later),
    ...(history !== undefined && { tried: history.map(triedFrom) }),
    later,
    ...(unasked.length > 0 && { unasked }),
    unread,
    unsure: plan.unsure ?? [],
  };
}

/** Of a deletion under way what holds its phase; of a living Machine all that would hold it. */
function causesIn(seen: Seen): Cause[] {
  const found = foundCauses(seen);
  const { standing } = seen;
  return found.length > 0 || standing === undefined || standing.state === 'progressing'
    ? found
    : [shownCause(standing)];
}

/** Nothing that was read explains it: then the Machine's own word stands. */
const shownCause = ({ phase, waitsFor, acts }: DeletionStatus): Cause => ({
  kind: 'carrier',
  ...(phase !== undefined && { phase }),
  what: `${waitsFor.reason}: ${waitsFor.message.split('\n')[0] ?? ''}`,
  owner: acts.name,
  details: waitsFor.message.split('\n').slice(1),
  endsByItself: 'unknown',
  why: 'it is what the Machine says, and nothing that was read explains it',
});

function foundCauses(seen: Seen): Cause[] {
  const { standing, plan } = seen;
  const isHere = ({ phase }: PlannedPhase): boolean => standing === undefined || phase === standing.phase;
  const here = plan.phases.filter(isHere);
  const isIn = (phase: PlannedPhase['phase']): boolean => here.some((each) => each.phase === phase);
  const holds = holdCauses(seen);
  if (standing !== undefined && holds.some(({ kind }) => kind !== 'failure')) return holds;
  return [
    ...holds,
    ...hookCauses(seen),
    ...policyCauses(seen),
    ...(isIn('drain') ? [...refusalCauses(seen), ...aheadCauses(seen), ...podCauses(seen)] : []),
    ...(isIn('drain') || isIn('volume-detach') || isIn('node') ? nodeCauses(seen, here) : []),
    ...(isIn('volume-detach') ? volumeCauses(seen) : []),
    ...(isIn('infrastructure') ? referredCauses(seen, 'infrastructure') : []),
    ...(isIn('bootstrap') ? referredCauses(seen, 'bootstrap') : []),
    ...unreadCauses(here),
  ];
}

function verdictOf({ standing }: Seen, causes: readonly Cause[]): Explanation['verdict'] {
  if (standing === undefined) return 'alive';
  if (standing.state === 'held' || causes.some(({ endsByItself }) => endsByItself === 'no')) return 'held';
  if (causes.some(({ kind }) => kind === 'unread')) return 'unknown';
  return causes.some(({ endsByItself }) => endsByItself === 'unknown') ? 'held' : 'progressing';
}

function endsOf({ standing }: Seen, causes: readonly Cause[]): { answer: Ends; why: string } {
  const decisive = ends.flatMap((answer) => causes.find((cause) => cause.endsByItself === answer) ?? [])[0];
  if (decisive !== undefined) return { answer: decisive.endsByItself, why: decisive.why };
  if (standing === undefined) return { answer: 'yes', why: 'nothing would hold it' };
  const who = standing.carriedBy === 'phaseout' ? 'phaseout' : "the API's own controller";
  return standing.state === 'held'
    ? {
        answer: 'unknown',
        why: `${standing.acts.name} has to act, or had to when the Machine was written last`,
      }
    : { answer: 'yes', why: `nothing holds it now: ${who} goes on` };
}

/** One that does not end decides, then one that may not. */
const ends: readonly Ends[] = ['no', 'unknown', 'yes'];

/** The limit of its own phase is known best by the Machine itself. */
function limitsIn({ plan, standing }: Seen): Limit[] {
  const own = standing?.givenUp;
  return (plan.limits ?? []).map(({ phase, seconds, givenUpAt, afterwards }) => {
    const at = (phase === standing?.phase ? own?.at : undefined) ?? givenUpAt;
    return { phase, seconds, ...(at !== undefined && { at }), afterwards };
  });
}

/** What will hold it in phases that are to come, and in later batches of its drain. */
function laterIn(seen: Seen): string[] {
  const { plan, standing } = seen;
  const here = standing?.phase;
  if (here === undefined) return [];
  const hooks = plan.hooks
    .filter(({ point }) => isBefore(here, point))
    .map(
      ({ point, name, owner = 'unknown' }) => `${point}: hook ${shortHook(name)} of ${owner} will hold it`,
    );
  return [...refusalsToCome(seen), ...hooks, ...functionsToCome(seen)];
}

const triedFrom = ({ at, phase, what, reason, message, by }: HistoryEntry): Tried => ({
  at: rfc3339Seconds(at),
  phase,
  what,
  reason,
  message,
  by,
});
