#!/usr/bin/env node
import type { End } from './outside.ts';

const minNode = 24;

// Loaded only after this check: on an older Node the modules below fail with an unclear error.
if (Number.parseInt(process.versions.node, 10) < minNode) {
  process.stderr.write(`phaseout needs Node ${minNode} or newer, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  void run();
}

async function run(): Promise<void> {
  const [{ runProcess }, { systemClock }, { hostname }] = await Promise.all([
    import('./process.ts'),
    import('../../shared/time/clock.ts'),
    import('node:os'),
  ]);
  // Timers of the clock do not keep the process alive, and the shutdown may wait for one.
  setInterval(() => undefined, 60_000);
  const outside = {
    args: process.argv.slice(2),
    env: process.env,
    stdout: process.stdout,
    clock: systemClock,
    random: Math.random,
    hostname: hostname(),
    end: ending(),
  };
  process.exit(await runProcess(outside).catch(complain));
}

/** A second signal or a second error ends the process at once. */
function ending(): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  let isEnding = false;
  const end = (why: End, code: number): void => {
    if (isEnding) process.exit(code);
    isEnding = true;
    resolve(why);
  };
  process.on('SIGTERM', () => end('SIGTERM', 143));
  process.on('SIGINT', () => end('SIGINT', 130));
  process.on('uncaughtException', (error) => end(error, 1));
  // The reader of the log has gone. Ignore the error.
  process.stdout.on('error', () => undefined);
  return promise;
}

function complain(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
