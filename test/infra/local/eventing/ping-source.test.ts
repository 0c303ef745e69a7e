import { describe, expect, test } from 'vitest';
import { startPingSource } from '../../../../infra/local/eventing/ping-source.ts';
import type { PingSource } from '../../../../infra/serverless/model.ts';
import { eventHeaders, recording, withoutMoments } from './recording.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const sink = 'http://sink/ping';

function ticking(source: Partial<PingSource>, { answer = {}, random = () => 0 }: Setting = {}) {
  const clock = virtualClock(noon);
  const network = scriptedPost(clock, { [sink]: answer });
  const dropped: string[] = [];
  const stop = startPingSource({
    source: { name: 'tick', namespace: 'knfacts', schedule: '*/5 * * * * *', ...source },
    sink,
    clock,
    random,
    post: network.post,
    onDropped: (reason) => dropped.push(reason),
  });
  /** Seconds since noon at which the sink was posted to. */
  const seconds = () => network.to(sink).map(({ at }) => (at - noon) / 1000);
  return { clock, network, dropped, stop, seconds };
}

interface Setting {
  answer?: Answer;
  random?: () => number;
}

describe('what a tick looks like equals the recording', () => {
  test.each<{ path: string; source: Partial<PingSource> }>([
    {
      path: 'minute-tick.json',
      source: { name: 'tick-min', contentType: 'application/json', data: '{"tick":"minute"}' },
    },
    {
      path: 'seconds-tick-with-ceoverrides.json',
      source: {
        name: 'tick-sec',
        contentType: 'application/json',
        data: '{"tick":"sec"}',
        ceOverrides: { extensions: { purpose: 'requeue' } },
      },
    },
  ])('$path', async ({ path, source }) => {
    const { clock, network, stop } = ticking(source);
    await clock.until(noon + 5000);
    stop();
    const [tick] = network.to(sink);
    const recorded = recording(`pingsource/${path}`);
    expect(withoutMoments(tick!.headers)).toEqual(withoutMoments(eventHeaders(recorded)));
    expect(Buffer.from(tick!.body).toString()).toBe(recorded.bodyRaw);
  });

  test('without a content type there is no such header', async () => {
    const { clock, network, stop } = ticking({ data: 'due' });
    await clock.until(noon + 5000);
    stop();
    expect(network.to(sink)[0]?.headers).not.toHaveProperty('Content-Type');
  });

  test('each tick has an id of its own', async () => {
    let seed = 0;
    const { clock, network, stop } = ticking({}, { random: () => (seed += 0.013) % 1 });
    await clock.until(noon + 11_000);
    stop();
    const ids = network.to(sink).map(({ headers }) => headers['Ce-Id']);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

test('ticks come on schedule', async () => {
  const { clock, stop, seconds } = ticking({ schedule: '*/20 * * * * *' });
  await clock.until(noon + 61_000);
  stop();
  expect(seconds()).toEqual([20, 40, 60]);
});

test('each comes up to half a second late, by chance', async () => {
  const { clock, stop, seconds } = ticking({}, { random: () => 0.999 });
  await clock.until(noon + 6000);
  stop();
  expect(seconds()).toEqual([5.499]);
});

test('a tick that is months away comes once, on its day', async () => {
  const { clock, stop, seconds } = ticking({ schedule: '@yearly' });
  await clock.until(Date.UTC(2027, 0, 2));
  stop();
  expect(seconds()).toEqual([(Date.UTC(2027, 0, 1) - noon) / 1000]);
});

test('a slow sink does not hold the next tick up', async () => {
  const { clock, stop, seconds } = ticking({}, { answer: { hangs: true } });
  await clock.until(noon + 15_000);
  stop();
  expect(seconds()).toEqual([5, 10, 15]);
});

test('a tick that fails is tried six times and then told as dropped', async () => {
  const { clock, stop, seconds, dropped } = ticking({ schedule: '@hourly' }, { answer: { status: 503 } });
  await clock.until(noon + 3_700_000);
  stop();
  expect(seconds()).toEqual([3600, 3600.1, 3600.3, 3600.7, 3601.5, 3603.1]);
  expect(dropped).toEqual(['status 503']);
});

test('nothing is left behind once it is stopped', async () => {
  const { clock, stop } = ticking({}, { answer: { status: 503 } });
  await clock.until(noon + 5100);
  stop();
  await clock.settle();
  expect(clock.pending()).toBe(0);
});
