#!/usr/bin/env node
import { parseArgs } from 'node:util';

import { systemClock } from '../../../shared/time/clock.ts';
import { createCloud } from './cloud.ts';
import { startProvider } from './serve.ts';

const usage = `Serves the actuator's HTTP contract on 127.0.0.1, with a slow cloud behind it.

  --port PORT    (default: any free one)
  PHASEOUT_ACTUATOR_TOKEN    the token that requests must carry; without it everybody is answered
`;

const port = portIn(process.argv.slice(2));
if (typeof port === 'string') {
  complain(port, 2);
} else if (port === undefined) {
  process.stdout.write(usage);
} else {
  await serve(port).catch((error: unknown) =>
    complain(error instanceof Error ? error.message : String(error), 1),
  );
}

function complain(what: string, code: number): void {
  process.stderr.write(`provider: ${what}\n`);
  process.exitCode = code;
}

/** The port, what is wrong with the command line, or undefined when help is asked for. */
function portIn(args: string[]): number | string | undefined {
  try {
    const { values } = parseArgs({ args, options: { port: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help === true) return undefined;
    const given = values.port ?? '0';
    if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
    return `--port takes a number from 0 to 65535, not ${JSON.stringify(given)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function serve(wanted: number): Promise<void> {
  const token = process.env['PHASEOUT_ACTUATOR_TOKEN'];
  const cloud = createCloud({ clock: systemClock, random: Math.random });
  cloud.onChange(({ machine, state }, isGone) => {
    process.stdout.write(`${machine.namespace}/${machine.name} ${isGone ? 'gone' : state}\n`);
  });
  const provider = await startProvider({ cloud, port: wanted, ...(token && { token }) });
  process.stdout.write(`provider: ${provider.url}\n`);
  const stop = (): void => {
    cloud.close();
    void provider.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}
