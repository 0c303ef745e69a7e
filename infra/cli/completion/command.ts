import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { Command } from '../command.ts';
import { completed } from './completed.ts';
import { scripts } from './scripts.ts';

/** The shells that there is a script for. */
export const shells = Object.keys(scripts);

/**
 * `phaseout completion`: the script for a shell. That script asks what may stand in place of the last word. Resolves
 * with the exit code; throws what main knows how to say.
 */
export async function completionCommand(
  args: readonly string[],
  outside: Outside,
  commands: ReadonlyMap<string, Command>,
): Promise<number> {
  const [first = '', ...words] = args;
  outside.stdout.write(first === '--' ? answered(words, commands) : scriptFor(args));
  return 0;
}

/** A line for each word, its meaning behind a tab. The last line is `:0` where a file may stand there, else `:4`. */
export function answered(words: readonly string[], commands: ReadonlyMap<string, Command>): string {
  const { candidates, isFile } = completed(words, commands);
  const lines = candidates.map(({ word, meaning }) => (meaning === '' ? word : `${word}\t${meaning}`));
  return [...lines, isFile ? ':0' : ':4', ''].join('\n');
}

function scriptFor([shell = '', ...rest]: readonly string[]): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script !== undefined && rest.length === 0) return script;
  throw new UsageError(`completion needs the name of a shell: ${shells.join(', ')}`);
}
