import { availableParallelism } from 'node:os';
import { blockedInvariants } from '../blocked-drains/play.ts';
import { switches } from '../faults/index.ts';
import { invariants } from '../invariants/index.ts';
import { sweep } from '../sweeps/command.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { replay } from './replay.ts';
import { tellMany } from './tell-many.ts';

const names = switches.map(({ name }) => name);

async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(readOptions(args, availableParallelism(), names));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
}

async function run(options: Options): Promise<number> {
  if (options.help) process.stdout.write(usage);
  else if (options.list) process.stdout.write(listText());
  else if (options.sweeps !== undefined) return sweep({ ...options, sweeps: options.sweeps });
  else if (options.seed !== undefined) {
    const { text, isWell } = await replay(options.seed, options);
    process.stdout.write(text);
    return isWell ? 0 : 1;
  } else return tellMany(options);
  return 0;
}

function listText(): string {
  const width = Math.max(...names.map((name) => name.length));
  const wrong = switches.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}\n`);
  const always = [...invariants, ...blockedInvariants].map(({ name }) => `  ${name}\n`);
  return `What goes wrong (--only, --without):\n${wrong.join('')}\nWhat must always be so:\n${always.join('')}`;
}

process.exitCode = await main(process.argv.slice(2));
