import * as z from 'zod';
import { type Config, ConfigInvalid, readConfig } from '../../shared/runtime/config.ts';
import { createLog, type InstanceLog } from '../../shared/runtime/log.ts';
import type { End, Outside } from './outside.ts';
import { setUpTable } from './set-up-table.ts';
import { type Server, startServer } from './start-server.ts';

// A compiled schema pays off after a thousand uses, but an instance starts from zero for a few events.
z.config({ jitless: true });

/**
 * The whole life of the process; the answer is its exit code. Without an argument it serves the functions until it is
 * told to end. 0 when it has finished all that it began. 1 when it has not, could not start, or ended with an uncaught
 * error. With the argument `table` it sets up the table: 0 when that can be used. 2 is for a configuration or an
 * argument that is invalid.
 */
export async function runProcess(outside: Outside): Promise<number> {
  const { env, clock, stdout } = outside;
  try {
    const config = readConfig(env);
    const log = createLog({ stream: stdout, clock, level: config.logLevel, form: config.logForm });
    return await dispatch(config, log, outside);
  } catch (error) {
    const form = env['PHASEOUT_LOG'] === 'text' ? 'text' : 'json';
    return failed(error, createLog({ stream: stdout, clock, level: 'error', form }));
  }
}

/** A line for each variable that is wrong, or the error with where it happened. */
function failed(error: unknown, log: InstanceLog): number {
  if (error instanceof ConfigInvalid) {
    for (const why of error.problems) log.error('Invalid configuration', { why });
    return 2;
  }
  log.error('Could not go on', { error });
  return 1;
}

function dispatch(config: Config, log: InstanceLog, outside: Outside): Promise<number> {
  const { args } = outside;
  if (args.length === 0) return serveUntilEnd(config, log, outside);
  if (args.length === 1 && args[0] === 'table') {
    return Promise.race([setUpTable(config, { ...outside, log }), brokenOff(log, outside)]);
  }
  log.error('Arguments are not understood', { args, known: ['table'] });
  return Promise.resolve(2);
}

/** A table in creation needs no help from this process. */
async function brokenOff(log: InstanceLog, { end }: Outside): Promise<number> {
  logEnd(log, await end);
  return 1;
}

async function serveUntilEnd(config: Config, log: InstanceLog, outside: Outside): Promise<number> {
  const server = await startServer({ ...outside, config, log });
  const end = await outside.end;
  logEnd(log, end);
  const isFinished = await closed(server, outside, config.shutdownSeconds);
  if (isFinished) log.info('Stopped');
  // The next step repeats what is interrupted here: a step saves its progress in one write.
  else
    log.warn('Stopped before all was finished', { seconds: config.shutdownSeconds, ...server.unfinished() });
  return isFinished && !(end instanceof Error) ? 0 : 1;
}

function logEnd(log: InstanceLog, end: End): void {
  if (end instanceof Error) log.error('Stopping because of an uncaught error', { error: end });
  else log.info('Stopping', { signal: end });
}

function closed(server: Server, { clock }: Outside, seconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(seconds * 1_000, () => resolve(false));
  const done = server.close().then(() => true);
  return Promise.race([done, late]).finally(cancel);
}
