import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files below `root` in which a function ran while `work` did. What runs as a module loads does not count. */
export async function filesThatRan(root: string, work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .toSorted();
}

const hasRun = ({ ranges: [whole] }: { ranges: { count: number }[] }): boolean => (whole?.count ?? 0) > 0;
