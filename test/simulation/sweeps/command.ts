import { type Options, UsageError } from '../command/options.ts';
import { sweepMany } from './many.ts';
import type { Report } from './part.ts';
import { replayAt } from './replay.ts';
import { storiesWith } from './stories.ts';
import type { Story } from './story.ts';
import { findingsOf, findingText, isUnexpected, sweepSummary } from './summary.ts';
import type { SweepName } from './sweep.ts';

type SweepOptions = Pick<Options, 'seeds' | 'jobs' | 'story' | 'at'> & { sweeps: readonly SweepName[] };

/** Sweeps all stories, or tells of one run. Answers with the exit code; throws UsageError. */
export async function sweep(options: SweepOptions): Promise<number> {
  const stories = storiesOf(options);
  if (options.at !== undefined) return tell(options, stories, options.at);
  const names = stories.map(({ name }) => name);
  const { sweeps, seeds, jobs } = options;
  const reports: Report[] = [];
  await sweepMany({ sweeps: [...sweeps], stories: names, seeds }, jobs, (report) => {
    reports.push(report);
    const all = sweeps.length * names.length * jobs;
    process.stderr.write(
      `${report.story}, ${report.sweep}: ${report.runs} runs (${reports.length}/${all})\n`,
    );
    for (const found of findingsOf(report).filter(isUnexpected)) process.stdout.write(findingText(found));
  });
  process.stdout.write(sweepSummary(reports));
  return reports.flatMap(findingsOf).some(isUnexpected) ? 1 : 0;
}

function storiesOf({ seeds, story }: SweepOptions): readonly Story[] {
  const all = storiesWith(seeds);
  if (story === undefined) return all;
  const found = all.filter(({ name }) => name === story);
  if (found.length > 0) return found;
  throw new UsageError(
    `there is no story ${JSON.stringify(story)}; there are ${all.map(({ name }) => name).join(', ')}`,
  );
}

async function tell({ sweeps, story }: SweepOptions, stories: readonly Story[], at: number): Promise<number> {
  const [[one], [name]] = [stories, sweeps];
  if (story === undefined || one === undefined || name === undefined || sweeps.length !== 1)
    throw new UsageError('--at asks for one --story and one --sweep');
  const told = await replayAt(one, name, at);
  if (told === undefined) throw new UsageError(`--at ${at}: there are not so many in ${story}`);
  process.stdout.write(told.text);
  return told.isWell ? 0 : 1;
}
