import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { MachineUnreadable } from '../../shared/dialects/dialect.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { ConfigInvalid } from '../../shared/runtime/config.ts';
import { StoreUnavailable } from '../../shared/store/port.ts';
import { NoMachineApi } from '../host/served-machine-apis.ts';
import { ManifestUnreadable } from '../terminal/manifests.ts';
import type { Outside } from '../terminal/outside.ts';
import { CannotDo, UsageError } from '../terminal/usage-error.ts';
import { printableLines } from '../terminal/words.ts';
import { commands } from './commands.ts';
import { help } from './help.ts';

/** Runs the command line; the answer is the exit code: 0 done, 1 not done, 2 not understood, 130 interrupted. */
export async function main(args: readonly string[], outside: Outside): Promise<number> {
  try {
    return await dispatch(args, outside);
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    outside.stderr.write(
      `phaseout: ${printableLines(error instanceof Error ? error.message : String(error))}\n`,
    );
    if (error instanceof UsageError) outside.stderr.write(`Try: phaseout --help\n`);
    return code;
  }
}

async function dispatch([name, ...args]: readonly string[], outside: Outside): Promise<number> {
  const command = commands.get(name ?? '');
  // Behind two dashes are words of somebody else's.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const isAsked = own.includes('--help') || own.includes('-h');
  if (command !== undefined) return isAsked ? say(outside, command.help) : command.start(args, outside);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return say(outside, commands.get(args[0] ?? '')?.help ?? help);
  }
  if (name === '--version') return say(outside, `${await version()}\n`);
  const what = name.startsWith('-') ? 'option' : 'command';
  throw new UsageError(
    `unknown ${what} ${JSON.stringify(name)} (there are ${[...commands.keys()].join(', ')})`,
  );
}

function say(outside: Outside, text: string): number {
  outside.stdout.write(text);
  return 0;
}

const packageSchema = z.looseObject({ version: z.string() });

async function version(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return packageSchema.parse(JSON.parse(text)).version;
}

/** Undefined for errors of our own code, which are shown with their stack. */
function exitCodeOf(error: unknown): number | undefined {
  const wrongInput = [UsageError, ManifestUnreadable, ConfigInvalid];
  if (wrongInput.some((kind) => error instanceof kind)) return 2;
  const impossible = [CannotDo, Unavailable, MachineUnreadable, NoMachineApi, StoreUnavailable];
  return impossible.some((kind) => error instanceof kind) ? 1 : undefined;
}
