import { switches } from '../faults/index.ts';
import { playMany, type Total } from './many.ts';
import type { Options, ReplayOptions } from './options.ts';
import { coverageTable, duration, effectsTable, short } from './summary.ts';

const progressMilliseconds = 10_000;

/** Plays many seeds and prints how it goes; answers with the code to exit with. */
export async function tellMany(options: Options): Promise<number> {
  const began = performance.now();
  const rate = ({ seeds }: Total): number => (1_000 * seeds) / (performance.now() - began);
  let shown = began;
  let toldOf = 0;
  const total = await playMany(options, (so) => {
    for (const { seed, what } of so.violations.slice(toldOf))
      process.stdout.write(`seed ${seed}: ${what}\n  ${replayOf(seed, options)}\n`);
    toldOf = so.violations.length;
    if (performance.now() - shown < progressMilliseconds) return;
    shown = performance.now();
    process.stderr.write(progress(so, rate(so), options));
  });
  process.stdout.write(summary(total, rate(total)));
  return total.violations.length === 0 ? 0 : 1;
}

/** The command that tells the seed's story, with the same faults. */
export function replayOf(
  seed: number,
  { only, without, beside = 'some', deployments = false }: ReplayOptions,
): string {
  const limits = [
    ...(beside === 'all' ? ['--beside'] : []),
    ...(beside === 'none' ? ['--without-beside'] : []),
    ...(beside === 'observe' ? ['--observe'] : []),
    ...(deployments ? ['--deployments'] : []),
    ...(only === undefined ? [] : ['--only', only.join(',')]),
    ...(without.length === 0 ? [] : ['--without', without.join(',')]),
  ];
  return ['npm run simulate -- --seed', seed, ...limits].join(' ');
}

function progress({ seeds, violations }: Total, perSecond: number, options: Options): string {
  const left = duration((options.seeds - seeds) / perSecond);
  const soFar = `${short(seeds)} of ${short(options.seeds)} seeds, ${perSecond.toFixed(1)} per second`;
  return `${soFar}, ${left} left, ${violations.length} violations\n`;
}

function summary(total: Total, perSecond: number): string {
  const { seeds, steps, seconds, violations, coverage } = total;
  return [
    '',
    'How often each fault struck, by the phases of the steps that were under way:',
    coverageTable(
      coverage,
      switches.map(({ name }) => name),
    ),
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
