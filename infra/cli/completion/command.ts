import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { Command } from '../command.ts';
import type { Asked } from './asked.ts';
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
  outside.stdout.write(first === '--' ? await answered(words, commands, outside) : scriptFor(args));
  return 0;
}

/** A line for each word, its meaning behind a tab. The last line is `:0` where a file may stand there, else `:4`. */
export async function answered(
  words: readonly string[],
  commands: ReadonlyMap<string, Command>,
  outside: Outside,
): Promise<string> {
  const loaded = await commands.get(words[0] ?? '')?.load();
  const { candidates, isFile, asks } = completed(words, commands, loaded);
  const lines = candidates.map(({ word, meaning }) => (meaning === '' ? word : `${word}\t${meaning}`));
  const names = asks === undefined ? [] : await namesOf(asks.asked, outside);
  const typed = words.at(-1) ?? '';
  const fitting = names.map((name) => `${asks?.prefix}${name}`).filter((word) => word.startsWith(typed));
  return [...lines, ...fitting, isFile ? ':0' : ':4', ''].join('\n');
}

/** What asks a cluster takes long to load, and few words need it. */
async function namesOf(asked: Asked, outside: Outside): Promise<string[]> {
  const { namesFor } = await import('./names.ts');
  return (await namesFor(asked, outside)).filter(isOneWord);
}

/** A name with other signs would be something else on a command line. */
const isOneWord = (name: string): boolean => /^[\w.:@/+-]+$/.test(name);

function scriptFor([shell = '', ...rest]: readonly string[]): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script !== undefined && rest.length === 0) return script;
  throw new UsageError(`completion needs the name of a shell: ${shells.join(', ')}`);
}
