import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilInterrupted } from '../../../terminal/outside.ts';
import { outsideOfProcess } from '../../../terminal/process.ts';
import { openInCluster } from './process.ts';

// Timers of the clock do not keep the process alive.
setInterval(() => undefined, 60_000);

async function run(): Promise<void> {
  const outside = outsideOfProcess();
  await using closing = new AsyncDisposableStack();
  const packed = pathToFileURL(join(dirname(process.argv[1] ?? ''), 'page.json'));
  const { port } = await openInCluster(process.argv.slice(2), packed, outside, closing);
  outside.stdout.write(`Serving on port ${port}\n`);
  await untilInterrupted(outside.interrupted);
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
