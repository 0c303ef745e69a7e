import type { Outside } from '../../terminal/outside.ts';
import { isJson } from '../../terminal/parse-arguments.ts';
import { openSite } from '../deploy/connect-site.ts';
import { reporterFor } from '../deploy/report.ts';
import { readReleaseOptions } from './options.ts';
import { release } from './release.ts';

/** `phaseout release`. Resolves with the exit code; throws what main knows how to say. */
export async function releaseCommand(args: readonly string[], outside: Outside): Promise<number> {
  const { values, ...what } = readReleaseOptions(args);
  const tell = reporterFor({ json: isJson(values.output) }, outside);
  await using site = openSite(values, { service: 'phaseout', tell }, outside);
  return (await release(site, what)) === 'done' ? 0 : 130;
}
