import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { PostResponse } from '../../../infra/local/eventing/post.ts';
import { breakable, type Listening } from './breakable.ts';

const accepted: PostResponse = { status: 202, headers: {}, body: Buffer.from('') };

/** Somebody posts and may break off; the answer comes when it is given. */
function posted() {
  const listening: Listening = new Set();
  const breaking = new AbortController();
  const { signal } = breaking;
  const answer = Promise.withResolvers<PostResponse>();
  const post = breakable(() => answer.promise, listening);
  const waiting = post({ url: 'http://broker', headers: {}, body: Buffer.from(''), signal });
  return { listening, breaking, answer, waiting, ears: () => getEventListeners(signal, 'abort').length };
}

test('who has an answer listens no longer', async () => {
  const { listening, answer, waiting, ears } = posted();
  expect([ears(), listening.size]).toEqual([1, 1]);
  answer.resolve(accepted);
  expect(await waiting).toEqual(accepted);
  expect([ears(), listening.size]).toEqual([0, 0]);
});

test('who breaks off waits no longer', async () => {
  const { listening, breaking, waiting, ears } = posted();
  breaking.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect([ears(), listening.size]).toEqual([0, 0]);
});

test('who is never answered can be let go of', () => {
  const { listening, ears } = posted();
  for (const letGo of listening) letGo();
  expect(ears()).toBe(0);
});
