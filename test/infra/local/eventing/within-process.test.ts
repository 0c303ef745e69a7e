import { expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import type { Post, PostRequest } from '../../../../infra/local/eventing/post.ts';
import { withinProcess } from '../../../../infra/local/eventing/within-process.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const ingressUrl = 'http://broker-ingress.test/ns/default';
const functionsUrl = 'http://functions';
const event = { 'CE-SpecVersion': '1.0', 'ce-id': '1', 'ce-source': '/t', 'ce-type': 't' };

/** What was asked of the functions, and of addresses elsewhere. */
function aProcess(answer: Post = async () => ({ status: 202, headers: {}, body: Buffer.from('') })) {
  const asked: { where: string; request: PostRequest }[] = [];
  const noting =
    (where: string): Post =>
    (request) => {
      asked.push({ where, request });
      return answer(request);
    };
  const triggers = [{ name: 'only', subscriber: `${functionsUrl}/drain` }];
  const post: Post = withinProcess({
    broker: () => broker,
    ingressUrl,
    functionsUrl,
    functions: noting('functions'),
    outside: noting('outside'),
  });
  const broker = createBroker({ clock: systemClock, triggers, post });
  return { post, asked, broker };
}

const sent = (url: string, more: Partial<PostRequest> = {}): PostRequest => ({
  url,
  headers: event,
  body: Buffer.from('{}'),
  ...more,
});

test('an event for the sink is handed to the functions that a Trigger names', async () => {
  const { post, asked, broker } = aProcess();
  const { status } = await post(sent(ingressUrl));
  await broker.close();
  expect(status).toBe(202);
  expect(asked).toMatchObject([
    { where: 'functions', request: { url: 'http://functions/drain', headers: { 'ce-id': '1' } } },
  ]);
});

test('what is no event is refused as the ingress refuses it', async () => {
  const { post, asked, broker } = aProcess();
  const { status, body } = await post(sent(ingressUrl, { headers: {} }));
  await broker.close();
  expect({ status, body: Buffer.from(body).toString() }).toEqual({ status: 400, body: 'not a CloudEvent' });
  expect(asked).toEqual([]);
});

test('the functions see names of headers in lower case, as behind a server', async () => {
  const { post, asked } = aProcess();
  await post(sent(`${functionsUrl}/sweep`));
  expect(asked[0]?.request.headers).toEqual({
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': '/t',
    'ce-type': 't',
  });
});

test('another address is asked over HTTP', async () => {
  const { post, asked } = aProcess();
  await post(sent('http://elsewhere/hook'));
  expect(asked).toMatchObject([{ where: 'outside', request: { url: 'http://elsewhere/hook' } }]);
});

test('who gives up waits no longer for a function that does not answer', async () => {
  const { post } = aProcess(() => new Promise(() => undefined));
  const limit = new AbortController();
  const answer = post(sent(`${functionsUrl}/drain`, { signal: limit.signal }));
  limit.abort(new Error('the Trigger has timed out'));
  await expect(answer).rejects.toThrow('the Trigger has timed out');
});
