import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writeBundle } from '../../infra/npm/write-bundle.ts';
import { writeFleetDump } from '../builders/fleet/fleet-dump.ts';

const root = join(import.meta.dirname, '../..');

/** What the process has used, as its last line on standard error. Its maxRSS would be at least that of this one. */
const tellsUse = `data:text/javascript,import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const [, kilobytes] = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\\s+(\\d+)/);
  process.stderr.write(JSON.stringify({ megabytes: kilobytes / 1024, cpu: (user + system) / 1e6 }) + '\\n');
})`;

const folder = await mkdtemp(join(tmpdir(), 'phaseout-bench-'));
const loading = await writeFleetDump(folder);
await writeBundle(root, 'dist');
const args = ['--import', tellsUse, join(root, 'dist/phaseout.js'), 'plan', '--all', ...loading];
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
console.log('phaseout plan --all of 300 Machines with 9,000 Pods, from a dump (goal: 5 s, 300 MiB)');
// The first run fills the compile cache.
for (const run of [0, 1, 2, 3]) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], answer, told] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (code !== 4) throw new Error(`it ended with ${code}: ${told}`);
  const { megabytes, cpu } = JSON.parse(told.trim().split('\n').at(-1) ?? '');
  const [totals] = answer.split('\n');
  if (run > 0)
    console.log(`  ${seconds} s (${cpu.toFixed(1)} s of CPU), ${megabytes.toFixed(0)} MiB; ${totals}`);
}
await rm(folder, { recursive: true });
