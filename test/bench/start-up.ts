import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../../infra/image/prime/child.ts';
import { type Delivery, deletedMachine, livingMachine } from '../../infra/image/prime/events.ts';
import { serveNothing } from '../../infra/image/prime/nothing.ts';
import { writeImage } from '../../infra/image/write-image.ts';
import { writeBundle } from '../../infra/npm/write-bundle.ts';
import { percentile } from './waits.ts';

/**
 * Measures the time from the start of the process to the answer of its first event. It compares the bundle of the image
 * with a bare HTTP server of Node's that only gives the same answer. One runs after the other, because only the ratio
 * means something on another machine.
 */
const runs = 15;
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'start-up-'));
const cache = join(folder, 'cache');

const bareServer = `
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
process.on('SIGTERM', () => process.exit(0));
`;

interface Measured {
  milliseconds: number;
  megabytes: number;
}

async function measure(
  file: string,
  environment: Record<string, string>,
  event: Delivery,
): Promise<Measured> {
  const begun = performance.now();
  const child = await startChild(file, { ...environment, NODE_COMPILE_CACHE: cache });
  await child.send(event);
  const milliseconds = performance.now() - begun;
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  await child.end();
  return { milliseconds, megabytes: Number(kilobytes) / 1024 };
}

/** Of a command line that finds no Machine. Throws if it did not end well. */
async function untilItEnds(args: string[], environment: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const ours = { ...process.env, ...environment, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, args, { env: ours, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - begun;
}

const median = (all: readonly Measured[], of: keyof Measured): number =>
  percentile(
    all.map((each) => each[of]),
    0.5,
  );

const bundle = join(folder, 'main.cjs');
await writeImage(root, folder);
const bare = join(folder, 'bare.cjs');
writeFileSync(bare, bareServer);
const env = { ...process.env, NODE_COMPILE_CACHE: cache };
const primed = spawnSync(process.execPath, [join(root, 'infra/image/prime/main.ts'), bundle], {
  env,
  stdio: 'inherit',
});
if (primed.status !== 0) throw new Error('the compile cache was not filled');

const nothing = await serveNothing();
const cases: [string, string, Delivery][] = [
  ['bare HTTP server', bare, livingMachine],
  ['functions, a Machine that lives', bundle, livingMachine],
  ['functions, a Machine to delete', bundle, deletedMachine],
];
const measured = cases.map((): Measured[] => []);
for (let run = 0; run < runs; run += 1) {
  for (const [index, [, file, event]] of cases.entries()) {
    measured[index]?.push(await measure(file, nothing.environment, event));
  }
}
await writeBundle(root, 'dist');
const dist = join(root, 'dist/phaseout.js');
const commandLines: [string, string[]][] = [
  ['bare Node', ['--eval', '0']],
  ['phaseout --help', [dist, '--help']],
  ['phaseout status', [dist, 'status']],
];
const took = commandLines.map((): number[] => []);
for (let run = 0; run <= runs; run += 1) {
  for (const [index, [, args]] of commandLines.entries()) {
    const milliseconds = await untilItEnds(args, nothing.environment);
    // The first run fills the compile cache.
    if (run > 0) took[index]?.push(milliseconds);
  }
}
await nothing.close();
rmSync(folder, { recursive: true });

const least = median(measured[0] ?? [], 'milliseconds');
console.log(`Start of the process to the answer of its first event (median of ${runs})`);
for (const [index, [title]] of cases.entries()) {
  const of = measured[index] ?? [];
  const milliseconds = median(of, 'milliseconds');
  const ratio = (milliseconds / least).toFixed(2);
  console.log(
    `  ${title.padEnd(32)} ${milliseconds.toFixed(0).padStart(4)} ms  x ${ratio}  ${median(of, 'megabytes').toFixed(0)} MiB`,
  );
}

const leastOfNode = percentile(took[0] ?? [], 0.5);
console.log(`Start to end of a command line, with a compile cache (median of ${runs})`);
for (const [index, [title]] of commandLines.entries()) {
  const milliseconds = percentile(took[index] ?? [], 0.5);
  const ratio = (milliseconds / leastOfNode).toFixed(2);
  console.log(`  ${title.padEnd(32)} ${milliseconds.toFixed(0).padStart(4)} ms  x ${ratio}`);
}
