import { availableParallelism } from 'node:os';
import { switches } from '../faults/index.ts';
import { invariants } from '../invariants/index.ts';
import { playMany, type Total } from './many.ts';
import { type Options, readOptions, usage, UsageError } from './options.ts';
import { replay } from './replay.ts';
import { sweep } from '../sweeps/command.ts';
import { coverageTable, duration, effectsTable, short } from './summary.ts';

const names = switches.map(({ name }) => name);

const progressMilliseconds = 10_000;

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
  } else return many(options);
  return 0;
}

function listText(): string {
  const width = Math.max(...names.map((name) => name.length));
  const wrong = switches.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}\n`);
  const always = invariants.map(({ name }) => `  ${name}\n`);
  return `What goes wrong (--only, --without):\n${wrong.join('')}\nWhat must always be so:\n${always.join('')}`;
}

async function many(options: Options): Promise<number> {
  const began = performance.now();
  const rate = ({ seeds }: Total): number => (1_000 * seeds) / (performance.now() - began);
  let shown = began;
  let toldOf = 0;
  const total = await playMany(options, (so) => {
    for (const { seed, what } of so.violations.slice(toldOf))
      process.stdout.write(`seed ${seed}: ${what}\n  npm run simulate -- --seed ${seed}\n`);
    toldOf = so.violations.length;
    if (performance.now() - shown < progressMilliseconds) return;
    shown = performance.now();
    const left = (options.seeds - so.seeds) / rate(so);
    process.stderr.write(
      `${short(so.seeds)} of ${short(options.seeds)} seeds, ${rate(so).toFixed(1)} per second, ${duration(left)} left, ${so.violations.length} violations\n`,
    );
  });
  process.stdout.write(summary(total, rate(total)));
  return total.violations.length === 0 ? 0 : 1;
}

function summary(total: Total, perSecond: number): string {
  const { seeds, steps, seconds, violations, coverage } = total;
  return [
    '',
    'How often each fault struck, by the phases of the steps that were under way:',
    coverageTable(coverage, names),
    '',
    'What was done:',
    effectsTable(coverage),
    '',
    `${short(seeds)} seeds, ${short(steps)} events, ${duration(seconds)} of simulated time; ${perSecond.toFixed(1)} seeds per second`,
    violations.length === 0
      ? 'Nothing was violated.'
      : `VIOLATED in ${violations.length} of them: ${violations.map(({ seed }) => seed).join(', ')}`,
    '',
  ].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
