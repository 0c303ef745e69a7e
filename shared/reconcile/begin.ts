import { keepRecord } from './record.ts';
import type { StepResult } from '../runtime/environment.ts';
import { commandOf, saveFirst, type Turn } from './step.ts';

/**
 * Hands on to the phase where a deletion begins. That is saved before it is told, so that the next sweep finds the
 * Machine there whatever becomes of the command.
 */
export async function begin(turn: Turn): Promise<StepResult | 'conflict'> {
  if (!(await saveFirst(turn))) return 'conflict';
  await keepRecord(turn);
  return { next: commandOf(turn), announcements: turn.chronicle.announcements };
}
