import { describe, expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import { canonicalHeader } from '../../../../infra/local/eventing/http-binding.ts';
import { anEvent } from './events.ts';
import { eventHeaders, recording, withoutMoments } from './recording.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const sink = 'http://10.0.0.254:9204/dead';

const shape = (request: { headers: Readonly<Record<string, string>>; body: Uint8Array } | undefined) => ({
  headers: withoutMoments(request?.headers ?? {}),
  body: Buffer.from(request?.body ?? []).toString(),
});

/** Publishes one event and answers with what the subscriber and the dead letter sink were sent. */
async function sent(
  event: ReturnType<typeof anEvent>,
  {
    answer = {},
    headers = {},
    format,
  }: { answer?: Answer; headers?: Record<string, string>; format?: 'json' },
) {
  const subscriber = 'http://10.0.0.254:9202/nd';
  const clock = virtualClock();
  const network = scriptedPost(clock, { [subscriber]: answer });
  const delivery = { deadLetterSink: sink, ...(format && { format }) };
  const broker = createBroker({
    clock,
    post: network.post,
    namespace: 'knfacts',
    name: 'nodel',
    triggers: [{ name: 'only', subscriber, delivery }],
  });
  await clock.run(broker.publish(event, headers));
  return { subscriber: shape(network.to(subscriber)[0]), sink: shape(network.to(sink)[0]) };
}

const withTime = (text: string) => ({ ...JSON.parse(text), knativearrivaltime: '<time>' });

function recorded(path: string) {
  const request = recording(`broker/${path}`);
  return { headers: withoutMoments(eventHeaders(request)), body: request.bodyRaw };
}

/** The event that a recording was made with. */
const published = (path: string, without: string[] = []) => {
  const { headers, bodyRaw } = recording(`broker/${path}`);
  const attributes: Record<string, string> = {};
  for (const [name, value] of headers) {
    const attribute = name === 'Content-Type' ? 'datacontenttype' : name.replace(/^Ce-/, '').toLowerCase();
    if (name === 'Content-Type' || name.startsWith('Ce-')) attributes[attribute] = value;
  }
  for (const name of without) delete attributes[name];
  return { attributes, data: Buffer.from(bodyRaw) };
};
const added = [
  'knativebrokerttl',
  'knativeerrorcode',
  'knativeerrordata',
  'knativeerrordest',
  'knativearrivaltime',
];

describe('what a subscriber is sent equals the recording', () => {
  test.each([
    'machine-deletionTimestamp-set-as-seen-by-trigger-subscriber.json',
    'machine-deleted-as-seen-by-trigger-subscriber.json',
  ])('%s', async (path) => {
    const seen = await sent(published(path, added), {});
    expect(seen.subscriber).toEqual(recorded(path));
  });

  test.each(['delivered-to-subscriber.json', 'reply-event-redelivered.json'])(
    '%s, with the headers that pass',
    async (path) => {
      const all = Object.entries(eventHeaders(recording(`broker/${path}`)));
      const headers = Object.fromEntries(
        all.filter(([name]) => /^(Knative|Trace|X)/.test(name)).map(([name, value]) => [name, value]),
      );
      const seen = await sent(published(path, added), { headers });
      expect(seen.subscriber).toEqual(recorded(path));
    },
  );

  test('delivered-structured-format-json.json', async () => {
    const event = anEvent({ id: 'x3', type: 'json', kind: 'Machine' });
    const { subscriber } = await sent(event, { format: 'json' });
    const expected = recorded('delivered-structured-format-json.json');
    expect(subscriber.headers).toEqual(expected.headers);
    expect(withTime(subscriber.body)).toEqual(withTime(expected.body));
  });
});

describe('what a dead letter sink is sent equals the recording', () => {
  test.each<{ path: string; answer: Answer }>([
    { path: 'dead-letter-after-503.json', answer: { status: 503, body: '{"reason":"drain refused"}' } },
    { path: 'dead-letter-after-200-with-non-ce-body.json', answer: { body: 'done' } },
    {
      path: 'dead-letter-after-invalid-reply-event.json',
      answer: { headers: { 'ce-specversion': '1.0', 'ce-type': 'dev.reply' } },
    },
  ])('$path', async ({ path, answer }) => {
    const seen = await sent(published(path, added), { answer });
    expect(seen.sink).toEqual(recorded(path));
  });

  test('dead-letter-after-connection-reset.json, but for the words of the client', async () => {
    const path = 'dead-letter-after-connection-reset.json';
    const seen = await sent(published(path, added), { answer: { reset: true } });
    const expected = recorded(path);
    expect(Object.keys(seen.sink.headers).toSorted()).toEqual(Object.keys(expected.headers).toSorted());
    expect(seen.sink.headers['Ce-Knativeerrorcode']).toBe('500');
    const words = Buffer.from(seen.sink.headers['Ce-Knativeerrordata']!, 'base64').toString();
    expect(words).toBe('dispatch error: Post "http://10.0.0.254:9202/nd": EOF');
  });

  test('only 1024 bytes of the answer are kept', async () => {
    const seen = await sent(anEvent(), { answer: { status: 500, body: 'x'.repeat(3000) } });
    expect(Buffer.from(seen.sink.headers['Ce-Knativeerrordata']!, 'base64')).toHaveLength(1024);
  });
});

test('header names are written as Go writes them', () => {
  expect(canonicalHeader('ce-knativearrivaltime')).toBe('Ce-Knativearrivaltime');
});
