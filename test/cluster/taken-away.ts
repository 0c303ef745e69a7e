import { cleanUp } from './clean-up.ts';
import type { Report, Result } from './report.ts';
import type { Site } from './site.ts';

/** Takes everything of a run away, and reports that as a step of its own. */
export async function takenAway(site: Site, run: string, report: Report): Promise<Result> {
  const startedAt = site.clock.now();
  const left = await cleanUp(site, run);
  const outcome: Result['outcome'] =
    left.length === 0 ? { kind: 'passed' } : { kind: 'failed', why: `left there: ${left.join(', ')}` };
  const result = { story: 'clean-up', way: '', outcome, seconds: (site.clock.now() - startedAt) / 1_000 };
  report.result(result);
  return result;
}
