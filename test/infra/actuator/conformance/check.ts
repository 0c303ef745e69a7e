import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { conformance } from '../../../../infra/actuator/conformance/conformance.ts';
import type { ProviderApp } from '../../../../infra/local/provider/app.ts';
import type { Fetch } from '../../../../shared/adapters/actuator/post.ts';
import { providerRequest } from '../../../contracts/actuator/provider-request.ts';
import { virtualClock } from '../../local/eventing/virtual-clock.ts';
import { type Provider, token } from './providers.ts';

/** Requests that need no network: the app is asked directly. */
const fetchFrom =
  (app: ProviderApp): Fetch =>
  (url, init) =>
    new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      app(providerRequest(url, init)).then(
        ({ status, headers, body }) => resolve(new Response(body, { status, headers })),
        reject,
      );
    });

/** Runs the command against a provider, in no time. `whenAsked` hears each request. */
export async function check(
  provider: Provider,
  args: string[],
  { interrupted = new AbortController().signal, whenAsked = (_body: string): void => undefined } = {},
) {
  const clock = virtualClock();
  const written = { stdout: '', stderr: '' };
  let uids = 0;
  const app = provider(clock);
  const heard: ProviderApp = (request) => {
    whenAsked(request.body ?? '');
    return app(request);
  };
  const work = conformance(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    env: {},
    clock,
    fetch: fetchFrom(heard),
    uuid: () => `${String((uids += 1)).padStart(8, '0')}-0000`,
    interrupted,
  });
  await begun(clock, work);
  return { code: await clock.run(work), ...written };
}

/** Files are read before anything waits for the clock, and take real time. */
async function begun(clock: { pending(): number }, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  for (;;) {
    await setImmediate();
    if (isOver || clock.pending() > 0) return;
  }
}

export const usual = ['--url', 'http://provider', '--token', token];

const lineSchema = z.looseObject({ check: z.string().optional(), outcome: z.string().optional() });

/** What came of each check. */
export async function outcomesOf(
  provider: Provider,
  args: string[] = [],
  more?: Parameters<typeof check>[2],
) {
  const { code, stdout } = await check(provider, [...usual, '-o', 'json', ...args], more);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const results = lines.slice(0, -1);
  const named = (outcome: string) =>
    results.filter((line) => line.outcome === outcome).map((line) => line.check);
  return {
    code,
    results,
    failed: named('failed'),
    noted: named('noted'),
    skipped: named('skipped'),
    numbers: lines.at(-1),
  };
}
