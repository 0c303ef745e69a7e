import { expect, test } from 'vitest';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiRequest } from '../../../infra/local/kubernetes/server/request.ts';
import { createRandom } from '../../simulation/random.ts';
import { Scheduler } from '../../simulation/scheduler.ts';
import { exchangeOf } from '../../simulation/wire/exchange.ts';
import { BusyServer } from './busy-server.ts';
import { Cores } from './cores.ts';

function desk() {
  const scheduler = new Scheduler(0, createRandom(1));
  const server = createApiServer({ clock: scheduler });
  const cores = new Cores(scheduler, 2);
  const busy = new BusyServer({ server, clock: scheduler, cores, slowLists: false });
  const ask = (asked: ApiRequest, gone = new AbortController().signal): Promise<number> =>
    busy
      .serve(exchangeOf(asked, { instance: 'one', host: 'management' }), asked, gone)
      .then(({ status }) => status);
  return { scheduler, busy, ask };
}

const namespaces: ApiRequest = { method: 'GET', path: '/api/v1/namespaces/default' };

test('who finds no seat and no place in the queue is told to come again', async () => {
  const { scheduler, busy, ask } = desk();
  const answers: Promise<number>[] = [];
  for (let index = 0; index < 600; index += 1) answers.push(ask(namespaces));
  await scheduler.run(10_000);

  const codes = await Promise.all(answers);
  expect(codes.filter((code) => code === 200)).toHaveLength(545);
  expect(codes.filter((code) => code === 429)).toHaveLength(55);
  expect(busy.throttled).toBe(55);
});

test('a write takes its time on the disk beside its CPU, part by part', async () => {
  const { scheduler, ask } = desk();
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  const asked = ask({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body });
  const done = asked.then((code) => ({ code, at: scheduler.now() }));
  await scheduler.run(10_000);

  expect(await done).toEqual({ code: 201, at: 6 });
});
