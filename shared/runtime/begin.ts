import type { StepResult } from './environment.ts';
import { commandOf, saveFirst, type Turn } from './turn.ts';
import { writeEvents } from './write-events.ts';

/**
 * Hands on to the phase where a deletion begins. That is saved before it is told, so that the next sweep finds the
 * Machine there whatever becomes of the command.
 */
export async function begin(turn: Turn): Promise<StepResult | 'conflict'> {
  const { env, chronicle } = turn;
  if (!(await saveFirst(turn))) return 'conflict';
  await writeEvents(env, turn.arrived.subject, chronicle.facts);
  return { next: commandOf(turn), announcements: chronicle.announcements };
}
