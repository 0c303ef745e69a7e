import { describe, expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import type { Delivery } from '../../../../infra/serverless/model.ts';
import { anEvent } from './events.ts';
import { recordedLines } from './recording.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const subscriber = 'http://subscriber/';
const sink = 'http://dead/';
const thrice: Delivery = {
  retry: 3,
  backoffPolicy: 'exponential',
  backoffDelay: 'PT0.1S',
  deadLetterSink: sink,
};

async function publishOnce(answer: Answer, trigger?: Delivery, broker?: Delivery) {
  const clock = virtualClock();
  const network = scriptedPost(clock, { [subscriber]: answer });
  const triggers = [{ name: 'only', subscriber, ...(trigger && { delivery: trigger }) }];
  const subject = createBroker({ clock, post: network.post, triggers, ...(broker && { delivery: broker }) });
  const { status } = await clock.run(subject.publish(anEvent()));
  return {
    network,
    subject,
    status,
    attempts: network.to(subscriber).length,
    gaps: network.gaps(subscriber),
  };
}

const byStatus = [
  { answer: 500, attempts: 4, gaps: [100, 200, 400], code: '500' },
  { answer: 501, attempts: 4, gaps: [100, 200, 400], code: '501' },
  { answer: 502, attempts: 4, gaps: [100, 200, 400], code: '502' },
  { answer: 503, attempts: 4, gaps: [100, 200, 400], code: '503' },
  { answer: 504, attempts: 4, gaps: [100, 200, 400], code: '504' },
  { answer: 404, attempts: 4, gaps: [100, 200, 400], code: '404' },
  { answer: 408, attempts: 4, gaps: [100, 200, 400], code: '408' },
  { answer: 409, attempts: 4, gaps: [100, 200, 400], code: '409' },
  { answer: 410, attempts: 1, gaps: [], code: '410' },
  { answer: 413, attempts: 1, gaps: [], code: '413' },
  { answer: 425, attempts: 1, gaps: [], code: '425' },
  { answer: 429, attempts: 4, gaps: [100, 200, 400], code: '429' },
  { answer: 400, attempts: 1, gaps: [], code: '400' },
  { answer: 401, attempts: 1, gaps: [], code: '401' },
  { answer: 403, attempts: 1, gaps: [], code: '403' },
  { answer: 422, attempts: 1, gaps: [], code: '422' },
  { answer: 302, attempts: 1, gaps: [], code: '302' },
  { answer: 'reset' as const, attempts: 4, gaps: [100, 200, 400], code: '500' },
];

describe('which answers are retried, as measured', () => {
  test('the table is the recorded one', () => {
    const recorded = recordedLines('broker-retry-by-status.txt').map((line) => {
      const [, answer, attempts, code] = /^sub="?(\w+)"? attempts=(\d) .* dlcode=(\d+)$/.exec(line) ?? [];
      return [answer, Number(attempts), code];
    });
    expect(byStatus.map(({ answer, attempts, code }) => [String(answer), attempts, code])).toEqual(recorded);
  });

  test.each(byStatus)(
    '$answer: $attempts attempts, dead letter code $code',
    async ({ answer, attempts, gaps, code }) => {
      const seen = await publishOnce(answer === 'reset' ? { reset: true } : { status: answer }, thrice);
      expect(seen).toMatchObject({ status: 202, attempts, gaps });
      const letters = seen.network.to(sink).map(({ headers }) => headers['Ce-Knativeerrorcode']);
      expect(letters).toEqual([code]);
    },
  );

  test.each([
    { name: 'an empty 200 is done', answer: { status: 200 }, attempts: 1 },
    { name: 'an empty 202 is done', answer: { status: 202 }, attempts: 1 },
    { name: 'a 204 is done', answer: { status: 204 }, attempts: 1 },
    { name: 'a 200 with a line break is a 502', answer: { body: '\n' }, attempts: 4 },
    { name: 'a 200 with {} is a 502', answer: { body: '{}' }, attempts: 4 },
    {
      name: 'a 200 with a broken structured event is a 502',
      answer: { headers: { 'content-type': 'application/cloudevents+json' }, body: '{"id":' },
      attempts: 4,
    },
  ])('$name', async ({ answer, attempts }) => {
    const seen = await publishOnce(answer, thrice);
    expect(seen).toMatchObject({ status: 202, attempts });
    const [letter] = seen.network.to(sink);
    expect(Object.keys(letter?.headers ?? {}).filter((name) => name.startsWith('Ce-Knativeerror'))).toEqual(
      [],
    );
    expect(seen.subject.deadLetters().map(({ status }) => status)).toEqual(attempts === 1 ? [] : [502]);
  });
});

describe('how retries are spaced', () => {
  test.each<{ name: string; trigger?: Delivery; broker?: Delivery; gaps: number[] }>([
    {
      name: 'a Broker without delivery retries ten times, 204.6 s in all',
      gaps: [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 102_400],
    },
    { name: 'a partial delivery of the Broker has no retries', broker: { deadLetterSink: sink }, gaps: [] },
    {
      name: "a Trigger's delivery replaces the Broker's",
      trigger: { format: 'json' },
      broker: thrice,
      gaps: [],
    },
    {
      name: 'linear starts at once',
      trigger: { retry: 3, backoffPolicy: 'linear', backoffDelay: 'PT0.3S' },
      gaps: [0, 300, 600],
    },
    { name: 'no policy is no pause', trigger: { retry: 2, backoffDelay: 'PT1S' }, gaps: [0, 0] },
    {
      name: 'hundredths of a second are cut off',
      trigger: { retry: 2, backoffPolicy: 'exponential', backoffDelay: 'PT0.25S' },
      gaps: [200, 400],
    },
    {
      name: 'less than a tenth is nothing',
      trigger: { retry: 2, backoffPolicy: 'exponential', backoffDelay: 'PT0.05S' },
      gaps: [0, 0],
    },
  ])('$name', async ({ trigger, broker, gaps }) => {
    const seen = await publishOnce({ status: 503 }, trigger, broker);
    expect(seen.gaps).toEqual(gaps);
  });

  test('an attempt is cut at its time-out and counts as failed', async () => {
    const seen = await publishOnce({ hangs: true }, { retry: 1, timeout: 'PT1S' });
    expect(seen).toMatchObject({ status: 500, attempts: 2, gaps: [1000] });
    expect(seen.subject.deadLetters()[0]?.reason).toBe(
      'dispatch error: Post "http://subscriber/": the time-out passed',
    );
  });

  test('without a time-out the fan-out gives up after fifteen minutes', async () => {
    const seen = await publishOnce({ hangs: true }, { retry: 1 });
    expect(seen).toMatchObject({ status: 500, attempts: 1 });
  });

  test("the Broker's dead letter sink alone is inherited", async () => {
    const seen = await publishOnce({ status: 503 }, { retry: 0 }, thrice);
    expect(seen).toMatchObject({ status: 202, attempts: 1 });
    expect(seen.network.to(sink)).toHaveLength(1);
  });

  test('Retry-After is not looked at', async () => {
    const seen = await publishOnce({ status: 503, headers: { 'retry-after': '2' } }, thrice);
    expect(seen.gaps).toEqual([100, 200, 400]);
  });
});
