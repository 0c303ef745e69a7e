import { describe, expect, test } from 'vitest';
import { createBroker, type LocalTrigger } from '../../../../infra/local/eventing/broker.ts';
import type { PostRequest } from '../../../../infra/local/eventing/post.ts';
import type { Delivery } from '../../../../infra/serverless/model.ts';
import { anEvent } from './events.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const first = 'http://first/';
const second = 'http://second/';
const sink = 'http://dead/';

const reply = (type: string, more: Record<string, string> = {}): Answer => ({
  headers: { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-source': '/fn', 'ce-type': type, ...more },
});

function aBroker(
  answers: Record<string, Answer | ((request: PostRequest) => Answer)>,
  options: { delivery?: Delivery; async?: boolean } = {},
) {
  const clock = virtualClock();
  const network = scriptedPost(clock, answers);
  const triggers: LocalTrigger[] = [
    { name: 'first', subscriber: first, filter: { attributes: { type: 'dev.first' } } },
    { name: 'second', subscriber: second, filter: { attributes: { type: 'dev.second' } } },
  ];
  const delivery = options.delivery ?? { retry: 2, backoffPolicy: 'exponential', backoffDelay: 'PT0.1S' };
  const broker = createBroker({ clock, post: network.post, triggers, ...options, delivery });
  const publish = (attributes: Record<string, string> = {}) =>
    clock.run(broker.publish(anEvent({ type: 'dev.first', ...attributes })));
  return { clock, network, broker, publish };
}

describe('replies', () => {
  test('a reply goes through the Broker as a new event, its passing headers with it', async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'xyz', 'x-other': 'ends here' };
    const answer = reply('dev.second', { ...headers, 'ce-foo': 'bar' });
    const { network, publish } = aBroker({ [first]: { ...answer, body: '{"r":1}' } });
    expect(await publish()).toEqual({ status: 202 });

    const [redelivered] = network.to(second);
    expect(redelivered?.headers).toEqual({
      'Ce-Foo': 'bar',
      'Ce-Id': 'r-1',
      'Ce-Knativearrivaltime': '2026-11-20T12:00:00.000Z',
      'Ce-Source': '/fn',
      'Ce-Specversion': '1.0',
      'Ce-Type': 'dev.second',
      'Content-Type': 'application/json',
      'Kn-Namespace': 'default',
      Prefer: 'reply',
      'X-Request-Id': 'xyz',
    });
    expect(Buffer.from(redelivered!.body).toString()).toBe('{"r":1}');
  });

  test('a structured reply is one too, and is delivered binary', async () => {
    const event = { specversion: '1.0', id: 'r', source: '/fn', type: 'dev.second', data: { r: 1 } };
    const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
    const { network, publish } = aBroker({ [first]: { headers, body: JSON.stringify(event) } });
    await publish();
    expect(network.to(second)[0]?.headers).toMatchObject({
      'Ce-Id': 'r',
      'Content-Type': 'application/json',
    });
  });

  test('the publisher waits for the whole chain, and retries multiply', async () => {
    const { network, publish } = aBroker({ [first]: reply('dev.second'), [second]: { status: 503 } });
    expect(await publish()).toMatchObject({ status: 500 });
    expect([network.to(first).length, network.to(second).length]).toEqual([1, 9]);
  });

  test('with ten retries a failing second function runs 121 times', async () => {
    const delivery: Delivery = { retry: 10 };
    const { network, publish } = aBroker(
      { [first]: reply('dev.second'), [second]: { status: 503 } },
      { delivery },
    );
    await publish();
    expect(network.to(second)).toHaveLength(121);
  });

  test('in async mode the publisher is answered at once and retries do not multiply', async () => {
    const { clock, network, broker, publish } = aBroker(
      { [first]: reply('dev.second'), [second]: { status: 503 } },
      { async: true },
    );
    expect(await publish()).toEqual({ status: 202 });
    await clock.run(broker.idle());
    expect([network.to(first).length, network.to(second).length]).toEqual([1, 3]);
    expect(broker.deadLetters()).toMatchObject([
      { trigger: 'second', attempts: 3, status: 503, end: 'no sink' },
    ]);
  });

  test('an incomplete reply is refused: the original event is the dead letter, the ingress its destination', async () => {
    const { 'ce-id': _, ...headers } = reply('dev.second').headers!;
    const { network, publish } = aBroker(
      { [first]: { headers } },
      { delivery: { retry: 2, deadLetterSink: sink } },
    );
    expect(await publish({ id: 'rm-1' })).toEqual({ status: 202 });
    expect(network.to(first)).toHaveLength(1);
    expect(network.to(sink)[0]?.headers).toMatchObject({
      'Ce-Id': 'rm-1',
      'Ce-Knativeerrorcode': '400',
      'Ce-Knativeerrordata': '',
      'Ce-Knativeerrordest': 'http://broker-ingress.knative-eventing.svc.cluster.local/default/default',
    });
  });
});

describe('hops', () => {
  test('a function that answers its own type runs 255 times, the last event becomes a dead letter', async () => {
    const { network, publish } = aBroker(
      { [first]: reply('dev.first') },
      { delivery: { deadLetterSink: sink } },
    );
    expect(await publish()).toEqual({ status: 202 });
    expect(network.to(first)).toHaveLength(255);
    expect(network.to(sink).map(({ headers }) => headers['Ce-Knativeerrorcode'])).toEqual(['400']);
  });

  test.each([
    { ttl: '-1', status: 400 },
    { ttl: '0', status: 400 },
    { ttl: '1', status: 400 },
    { ttl: '2', status: 202 },
    { ttl: 'many', status: 202 },
  ])('an event that arrives with $ttl is answered $status', async ({ ttl, status }) => {
    const { publish } = aBroker({});
    expect(await publish({ knativebrokerttl: ttl })).toMatchObject({ status });
  });

  test('subscribers do not see how many are left', async () => {
    const { network, publish } = aBroker({});
    await publish({ knativebrokerttl: '7' });
    expect(Object.keys(network.to(first)[0]?.headers ?? {})).not.toContain('Ce-Knativebrokerttl');
  });
});

describe('publishers', () => {
  test('an event nobody subscribed to is accepted', async () => {
    const { publish } = aBroker({});
    expect(await publish({ type: 'dev.nobody' })).toEqual({ status: 202 });
  });

  test('one failing Trigger answers 500, the others have the event', async () => {
    const clock = virtualClock();
    const network = scriptedPost(clock, { [first]: { status: 400 } });
    const triggers = [first, second].map((subscriber) => ({ name: subscriber, subscriber }));
    const broker = createBroker({ clock, post: network.post, triggers });
    expect(await clock.run(broker.publish(anEvent()))).toMatchObject({ status: 500 });
    expect(network.to(second)).toHaveLength(1);
  });

  test('a publisher that goes away ends the retries; the event is told as a dead letter', async () => {
    const { clock, network, broker } = aBroker({ [first]: { status: 503 } });
    const gone = new AbortController();
    const published = broker.publish(anEvent({ type: 'dev.first' }), {}, gone.signal);
    await clock.settle();
    gone.abort(new Error('the publisher went away'));
    expect(await published).toMatchObject({ status: 500 });
    expect(network.to(first)).toHaveLength(1);
    expect(broker.deadLetters()).toMatchObject([{ attempts: 1, status: 503, end: 'no sink' }]);
    expect(clock.pending()).toBe(0);
  });

  test('closing calls off what is in flight and tells of it', async () => {
    const told: string[] = [];
    const clock = virtualClock();
    const network = scriptedPost(clock, { [first]: { hangs: true } });
    const triggers = [{ name: 'only', subscriber: first }];
    const onDeadLetter = ({ reason }: { reason: string }) => told.push(reason);
    const broker = createBroker({ clock, post: network.post, triggers, onDeadLetter, async: true });
    await broker.publish(anEvent());
    await broker.close();
    expect(told).toEqual(['dispatch error: Post "http://first/": the broker was closed']);
  });
});
