import { expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import { createApp } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { Emit } from '../../../shared/http/context.ts';
import { NotDelivered } from '../../../shared/http/failures.ts';
import { defineFunction } from '../../../shared/http/function.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { about, time } from '../../events/examples.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const command = advance(about, time);

// The sender no longer reads the answer once the time of the request is over. The next request would repeat what this
// one still sends.
test.each<[what: string, sooner: AbortSignal | undefined]>([
  ['whoever sends', undefined],
  ['whoever sends, and would wait for longer', new AbortController().signal],
])('%s is told to stop when the time of the request is over', async (_what, sooner) => {
  const clock = manualClock();
  const isOver: boolean[] = [];
  const emit: Emit = (_event, signal) =>
    new Promise((_resolve, reject) => {
      isOver.push(signal.aborted);
      signal.addEventListener('abort', () => {
        isOver.push(signal.aborted);
        reject(new NotDelivered('broken off'));
      });
    });
  const sends = defineFunction([command.type], async (_event, context) => {
    await context.emit(command, sooner);
    return undefined;
  });
  const app = createApp({ '/sends': sends }, { clock, log: silent, requestTimeoutSeconds: 50, emit });
  const { headers, body } = toBinary(command);
  const readBody = async () => new TextEncoder().encode(body);
  const answer = app({ method: 'POST', path: '/sends', headers, readBody });
  await clock.advance(49_999);
  expect(isOver).toEqual([false]);
  await clock.advance(1);
  expect(isOver).toEqual([false, true]);
  expect((await answer).status).toBe(503);
});

test('whoever sends is told to stop sooner where that is asked for', async () => {
  const soon = new AbortController();
  const emit: Emit = (_event, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new NotDelivered('broken off')));
      queueMicrotask(() => soon.abort());
    });
  const sends = defineFunction([command.type], async (_event, context) => {
    await context.emit(command, soon.signal);
    return undefined;
  });
  const options = { clock: manualClock(), log: silent, requestTimeoutSeconds: 50, emit };
  const app = createApp({ '/sends': sends }, options);
  const { headers, body } = toBinary(command);
  const readBody = async () => new TextEncoder().encode(body);
  const answer = await app({ method: 'POST', path: '/sends', headers, readBody });
  expect(answer).toMatchObject({ status: 503, body: 'broken off' });
});
