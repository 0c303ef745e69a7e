import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { factEvent } from '../../../../events/fact.ts';
import { deliver } from '../../../../shared/http/outbox/deliver.ts';
import { createOutbox } from '../../../../shared/http/outbox/outbox.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { about, time } from '../../../events/examples.ts';
import { manualClock } from '../../adapters/kubernetes/manual-clock.ts';

const message = { headers: {}, body: '' };

// A sweep sends hundreds of commands under the one signal of its request.
test('an event that was sent after retries leaves nobody listening at the signal of its request', async () => {
  const clock = manualClock();
  const statuses = [503, 503, 202];
  const post = async () => ({ status: statuses.shift() ?? 500 });
  const { signal } = new AbortController();
  const sent = deliver({ sink: 'http://sink', post, clock, random: () => 0.5 }, message, signal);
  await clock.advance(300);
  await sent;
  expect(statuses).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('an outbox that was flushed keeps no process alive', async () => {
  const posting = Promise.withResolvers<{ status: number }>();
  const outbox = createOutbox({
    sink: 'http://sink',
    clock: manualClock(),
    random: () => 0,
    log: silent,
    post: () => posting.promise,
  });
  const before = timers();
  outbox.publish(factEvent({ kind: 'started', ...about }, time));
  const flushed = outbox.flush();
  expect(timers()).toBe(before + 1);
  posting.resolve({ status: 202 });
  await flushed;
  expect(timers()).toBe(before);
});
