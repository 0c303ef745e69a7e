import { version } from '../../shared/runtime/version.ts';
import { didYouMean, nearTo } from '../terminal/near.ts';
import type { Outside } from '../terminal/outside.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { printableLines } from '../terminal/words.ts';
import { commands } from './commands.ts';
import { helpOf, overview } from './help-of.ts';

/** Runs the command line; the answer is the exit code: 0 done, 1 not done, 2 not understood, 130 interrupted. */
export async function main(args: readonly string[], outside: Outside): Promise<number> {
  try {
    return await dispatch(args, outside);
  } catch (error) {
    // What it goes by would take as long to load as all else.
    const { exitCodeOf } = await import('./exit-code.ts');
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    outside.stderr.write(
      `phaseout: ${printableLines(error instanceof Error ? error.message : String(error))}\n`,
    );
    if (error instanceof UsageError) outside.stderr.write(`Try: ${helpFor(args, outside)}\n`);
    return code;
  }
}

/** The help of the command that was typed. */
function helpFor([name = '']: readonly string[], { isPlugin = false }: Outside): string {
  const command = commands.has(name) ? `${name} ` : '';
  return `${isPlugin ? 'kubectl phaseout' : 'phaseout'} ${command}--help`;
}

async function dispatch([name, ...args]: readonly string[], outside: Outside): Promise<number> {
  const command = commands.get(name ?? '');
  // Behind two dashes are words of somebody else's.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const isAsked = own.includes('--help') || own.includes('-h');
  if (command !== undefined) {
    const loaded = await command.load();
    return isAsked ? say(outside, helpOf(loaded)) : loaded.start(args, outside);
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = commands.get(args[0] ?? '');
    return say(outside, asked === undefined ? overview(commands) : helpOf(await asked.load()));
  }
  if (name === '--version') return say(outside, `${version}\n`);
  const what = name.startsWith('-') ? 'option' : 'command';
  const near = nearTo(name, [...commands.keys(), 'help', '--help', '--version']);
  const there = near.length === 0 ? ` (there are ${[...commands.keys()].join(', ')})` : didYouMean(near);
  throw new UsageError(`unknown ${what} ${JSON.stringify(name)}${there}`);
}

function say(outside: Outside, text: string): number {
  outside.stdout.write(text);
  return 0;
}
