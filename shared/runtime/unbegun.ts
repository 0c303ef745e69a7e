import type { Conclusion } from '../decision.ts';
import { beginningAt } from '../machine/future-starts.ts';
import { begunAt } from '../machine/progress.ts';
import { isWithin } from './find-machine.ts';
import { saveFirst, type Turn } from './turn.ts';

/** What a look may take without its time limit losing by it. */
const lookMilliseconds = 1_000;

/**
 * Whether a time limit would end a phase nobody has tried yet. Its start was made up by this very step and stands
 * nowhere; an instance that stood still since would count that time.
 */
export function endsUnbegun({ env, arrived }: Turn, decision: Conclusion): boolean {
  if (arrived.isSaved || decision.kind !== 'advance' || decision.passing !== 'timed-out') return false;
  const { dialect, machine, checkpoint } = arrived.subject;
  const isTold = dialect.startTimes(machine)[checkpoint.phase] === checkpoint.since;
  return !isTold && !isWithin(lookMilliseconds, Date.parse(checkpoint.since), env.clock.now());
}

/** Writes down that the phase begins now. Whether or not that could be written, the step has to start over. */
export async function beginNow(turn: Turn): Promise<'conflict'> {
  const { env, arrived } = turn;
  const { subject } = arrived;
  const { machine, checkpoint } = subject;
  arrived.subject = { ...subject, checkpoint: begunAt(checkpoint, beginningAt(machine, env.clock.now())) };
  await saveFirst(turn);
  return 'conflict';
}
