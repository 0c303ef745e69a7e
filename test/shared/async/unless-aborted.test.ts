import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';

import { RetryBudget, withRetries } from '../../../shared/adapters/kubernetes/load-limit.ts';
import { unlessAborted } from '../../../shared/async/timeout.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const aSignal = () => {
  const controller = new AbortController();
  return { controller, signal: controller.signal, listeners: () => listenersAt(controller.signal) };
};
const listenersAt = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('what is awaited is what comes of it', async () => {
  const { signal } = aSignal();
  expect(await unlessAborted(signal, Promise.resolve('answer'))).toBe('answer');
  await expect(unlessAborted(signal, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test.each([
  ['meanwhile', (controller: AbortController) => queueMicrotask(() => controller.abort(new Error('over')))],
  ['before', (controller: AbortController) => controller.abort(new Error('over'))],
])('nobody waits any more for what was called off %s', async (_when, callOff) => {
  const { controller, signal } = aSignal();
  callOff(controller);
  await expect(unlessAborted(signal, new Promise(() => undefined))).rejects.toThrow('over');
});

// A watch has one signal for as long as it lasts, and a request one for all of its attempts.
test.each<[string, () => Promise<unknown>]>([
  ['was answered', async () => 'answer'],
  ['failed', () => Promise.reject(new Error('refused'))],
])('what %s leaves nobody listening at the signal', async (_what, ask) => {
  const { signal, listeners } = aSignal();
  await unlessAborted(signal, ask()).catch(() => undefined);
  await Promise.resolve();
  expect(listeners()).toBe(0);
});

test('nor does a read that was asked again', async () => {
  const clock = manualClock();
  const { signal, listeners } = aSignal();
  const codes = [503, 503, 200];
  const ask = async () => ({ code: codes.shift() ?? 500, text: '', retryAfter: undefined });
  const asked = withRetries(ask, { clock, signal, retries: new RetryBudget() });
  await clock.advance(400);
  expect((await asked).code).toBe(200);
  expect(listeners()).toBe(0);
});
