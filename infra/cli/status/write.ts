import { tellBeside } from '../../terminal/beside.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { Told } from './told.ts';

/** The answer alone on one stream, what is said beside it on the other. */
export function write(answer: Told, outside: Outside): void {
  if ('rows' in answer) tellBeside(answer, outside);
  outside.stdout.write(textOf(answer));
}

/** What is written of an answer. */
export const textOf = (answer: Told): string =>
  'data' in answer ? answer.data : `${[...answer.rows, ...answer.end].join('\n')}\n`;
