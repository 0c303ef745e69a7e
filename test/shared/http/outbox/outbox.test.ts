import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { advance } from '../../../../events/advance.ts';
import { factEvent } from '../../../../events/fact.ts';
import type { OutEvent } from '../../../../events/types.ts';
import { type Answer, type Post, pauseMilliseconds } from '../../../../shared/http/outbox/deliver.ts';
import { createOutbox, type OutboxOptions } from '../../../../shared/http/outbox/outbox.ts';
import { type Clock, systemClock } from '../../../../shared/time/clock.ts';
import { clockOf } from '../../../builders/clock.ts';
import { countedMetrics } from '../../../builders/observed.ts';
import { about, pod, time } from '../../../events/examples.ts';
import { manualClock } from '../../adapters/kubernetes/manual-clock.ts';
import { logLines } from '../log-lines.ts';

const sink = 'http://broker.test/default';
const command = advance(about, time);
const fact = factEvent({ kind: 'pod-evicted', ...about, pod }, time);
const attemptMilliseconds = 30_000;

/** Pauses pass at once and are written down; the time of an attempt never ends. */
function hastyClock() {
  const pauses: number[] = [];
  const clock: Clock = {
    ...clockOf(() => 0),
    after(milliseconds, run) {
      if (milliseconds === attemptMilliseconds) return () => undefined;
      pauses.push(milliseconds);
      queueMicrotask(run);
      return () => undefined;
    },
  };
  return { clock, pauses };
}

/** A sink that answers from a list, and then with its last answer for ever. */
function scripted(answers: (Answer | Error)[]) {
  const posted: string[] = [];
  const post: Post = (_url, { headers }) => {
    const answer = answers[Math.min(posted.length, answers.length - 1)]!;
    posted.push(headers['ce-id'] ?? '');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { post, posted };
}

function outboxWith(answers: (Answer | Error)[], options: Partial<OutboxOptions> = {}) {
  const { clock, pauses } = hastyClock();
  const { post, posted } = scripted(answers);
  const { log, lines } = logLines();
  return {
    outbox: createOutbox({ sink, clock, random: () => 0.5, log, post, ...options }),
    pauses,
    posted,
    lines,
  };
}

describe('a command', () => {
  const reset = new TypeError('fetch failed');
  const cases: [string, (Answer | Error)[], { attempts: number; pauses: number[]; problem?: string }][] = [
    ['is taken', [{ status: 202 }], { attempts: 1, pauses: [] }],
    ['is taken after the broker failed', [{ status: 500 }, { status: 202 }], { attempts: 2, pauses: [100] }],
    ['is taken after no answer came', [reset, reset, { status: 200 }], { attempts: 3, pauses: [100, 200] }],
    [
      'waits as long as it is asked to',
      [{ status: 429, retryAfterSeconds: 2 }, { status: 202 }],
      { attempts: 2, pauses: [2_000] },
    ],
    [
      'does not wait for ever',
      [{ status: 503, retryAfterSeconds: 3_600 }, { status: 202 }],
      { attempts: 2, pauses: [10_000] },
    ],
    [
      'is given up after five retries',
      [{ status: 500 }],
      { attempts: 6, pauses: [100, 200, 400, 800, 1_600], problem: 'status 500' },
    ],
    [
      'is given up when no answer ever came',
      [reset],
      { attempts: 6, pauses: [100, 200, 400, 800, 1_600], problem: 'no answer' },
    ],
    ['is refused for good', [{ status: 400 }], { attempts: 1, pauses: [], problem: 'status 400' }],
    ['is not sent after a redirect', [{ status: 302 }], { attempts: 1, pauses: [], problem: 'status 302' }],
  ];
  test.each(cases)('%s', async (_name, answers, expected) => {
    const { outbox, pauses, posted } = outboxWith(answers);
    const problem = await outbox.send(command).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    const told =
      expected.problem === undefined
        ? undefined
        : `NotDelivered: the sink ${sink} did not take an event: ${expected.problem}`;
    expect({ attempts: posted.length, pauses, problem }).toEqual({
      attempts: expected.attempts,
      pauses: expected.pauses,
      problem: told,
    });
    expect(new Set(posted)).toEqual(new Set([command.id]));
  });

  test.each([404, 408, 409, 425, 429, 500, 502, 503, 504])('%i is tried again', async (status) => {
    const { outbox, posted } = outboxWith([{ status }, { status: 202 }]);
    await outbox.send(command);
    expect(posted).toHaveLength(2);
  });

  test.each([301, 400, 401, 403, 405, 410, 413, 422])('%i is not tried again', async (status) => {
    const { outbox, posted } = outboxWith([{ status }, { status: 202 }]);
    await expect(outbox.send(command)).rejects.toThrow(`status ${status}`);
    expect(posted).toHaveLength(1);
  });

  test('is not retried when the time of the request is over', async () => {
    const controller = new AbortController();
    const clock: Clock = clockOf(() => 0);
    const { outbox } = outboxWith([{ status: 500 }], { clock });
    const sent = outbox.send(command, controller.signal);
    controller.abort();
    await expect(sent).rejects.toThrow('the time of the request is over');
  });

  test('has nowhere to go without a sink', async () => {
    const { outbox } = outboxWith([], { sink: undefined });
    await expect(outbox.emit(command, new AbortController().signal)).rejects.toThrow('K_SINK is not set');
  });

  test('does not sit out a pause when the time of the request is over', async () => {
    const clock = manualClock();
    const { outbox, posted } = outboxWith([{ status: 503, retryAfterSeconds: 10 }], { clock });
    const request = new AbortController();
    const sent = outbox.send(command, request.signal).catch((error: unknown) => String(error));
    await clock.advance(1);
    request.abort();
    expect(await sent).toContain('the time of the request is over');
    expect([posted.length, clock.timers()]).toEqual([1, 0]);
  });

  test.each<[string, Answer | Error]>([
    ['was taken', { status: 202 }],
    ['was refused', { status: 400 }],
  ])('that %s leaves no timer behind', async (_what, answer) => {
    const clock = manualClock();
    const { outbox } = outboxWith([answer], { clock });
    await outbox.send(command).catch(() => undefined);
    expect(clock.timers()).toBe(0);
  });
});

/** How many posts were on their way at once, and how many are when all is done. */
async function crowd(events: readonly OutEvent[]): Promise<{ now: number; most: number }> {
  let now = 0;
  let most = 0;
  const post: Post = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return { status: 202 };
  };
  const { outbox } = outboxWith([], { post });
  await Promise.all(events.map((event) => outbox.send(event)));
  return { now, most };
}

test('at most 32 commands are on their way at once, and all arrive', async () => {
  expect(await crowd(Array.from({ length: 50 }, () => command))).toEqual({ now: 0, most: 32 });
});

test('at most four facts are on their way at once, and all arrive', async () => {
  expect(await crowd(Array.from({ length: 50 }, () => fact))).toEqual({ now: 0, most: 4 });
});

test('a command does not wait behind facts', async () => {
  const posted: string[] = [];
  const hanging = Promise.withResolvers<Answer>();
  const post: Post = (_url, { headers }) => {
    posted.push(headers['ce-type'] ?? '');
    return headers['ce-type'] === command.type ? Promise.resolve({ status: 202 }) : hanging.promise;
  };
  const { outbox } = outboxWith([], { post });
  for (let count = 0; count < 100; count += 1) outbox.publish(fact);
  await outbox.send(command);
  expect(posted).toEqual([fact.type, fact.type, fact.type, fact.type, command.type]);
  hanging.resolve({ status: 202 });
  await outbox.flush();
});

describe('a fact', () => {
  const { signal } = new AbortController();

  test('holds up nobody: it is on its way when emit returns', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const { outbox } = outboxWith([], { post: () => promise });
    await outbox.emit(fact, signal);
    let isFlushed = false;
    const flushed = outbox.flush().then(() => (isFlushed = true));
    expect(isFlushed).toBe(false);
    resolve({ status: 202 });
    await flushed;
  });

  test('that nobody takes is lost with a line of log', async () => {
    const { outbox, lines } = outboxWith([{ status: 500 }]);
    await outbox.emit(fact, signal);
    await outbox.flush();
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'fact was not told', type: fact.type, event: fact.id },
    ]);
  });

  test('without a sink is not told, and that is said once', async () => {
    const { outbox, lines } = outboxWith([], { sink: undefined });
    await outbox.emit(fact, signal);
    await outbox.emit(fact, signal);
    expect(lines).toMatchObject([{ level: 'warn', msg: 'facts are not told: K_SINK is not set' }]);
  });

  test('beyond ten thousand that wait is lost, and that is said once', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let posts = 0;
    const post: Post = () => {
      posts += 1;
      return promise;
    };
    const { metrics, counted } = countedMetrics();
    const { outbox, lines } = outboxWith([], { post, metrics });
    for (let count = 0; count < 10_002; count += 1) outbox.publish(fact);
    resolve({ status: 202 });
    await outbox.flush();
    expect({ posts, said: lines.map(({ msg }) => msg) }).toEqual({
      posts: 10_000,
      said: ['facts are lost: the sink is too slow'],
    });
    expect(counted.filter((line) => line.endsWith('lost'))).toHaveLength(2);
  });
});

test('pauses are spread by half to each side', () => {
  expect([pauseMilliseconds(0, () => 0), pauseMilliseconds(0, () => 1)]).toEqual([50, 150]);
});

describe('over real HTTP', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(() => close?.());

  async function listening(statuses: number[]) {
    const seen: { headers: object; body: string }[] = [];
    const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = '';
      for await (const chunk of message) body += String(chunk);
      seen.push({ headers: message.headers, body });
      response.writeHead(statuses[seen.length - 1] ?? 202, { location: '/elsewhere' }).end('text');
    };
    const server = createServer((message, response) => void answer(message, response));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ns/default`;
    const { log } = logLines();
    return { seen, url, outbox: createOutbox({ sink: url, clock: systemClock, random: () => 0, log }) };
  }

  test('an event is posted in binary mode until the sink takes it', async () => {
    const { outbox, seen } = await listening([500]);
    await outbox.send(command);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'ce-specversion': '1.0',
      'ce-id': command.id,
      'ce-type': command.type,
      'ce-phase': 'drain',
    });
    expect(JSON.parse(seen[0]!.body)).toEqual(command.data);
  });

  test('redirects are not followed', async () => {
    const { outbox, seen } = await listening([307]);
    await expect(outbox.send(command)).rejects.toThrow('status 307');
    expect(seen).toHaveLength(1);
  });

  test('a sink that is not there is no answer', async () => {
    const { outbox, url } = await listening([]);
    await close?.();
    close = undefined;
    const signal = AbortSignal.timeout(200);
    await expect(outbox.send(command, signal)).rejects.toThrow(`the sink ${url} did not take an event`);
  });
});

describe('what is sent is counted', () => {
  test.each<[string, Answer, string]>([
    ['as taken', { status: 202 }, 'eventsSent type=dev.phaseout.deletion.advance.v1 outcome=taken'],
    ['as lost', { status: 400 }, 'eventsSent type=dev.phaseout.deletion.advance.v1 outcome=lost'],
  ])('%s', async (_what, answer, expected) => {
    const { metrics, counted } = countedMetrics();
    const { outbox } = outboxWith([answer], { metrics });
    await outbox.send(command).catch(() => undefined);
    expect(counted).toEqual([expected]);
  });
});

/** A sink that never answers, and says when it was asked and whether it still is. */
function silentSink(clock: Clock) {
  const asked: number[] = [];
  const post: Post = (_url, _message, signal) => {
    asked.push(clock.now());
    return new Promise((_answer, reject) => {
      signal.addEventListener('abort', () => reject(new Error('broken off')));
    });
  };
  return { asked, post };
}

describe('a sink that does not answer', () => {
  test('is asked again after 30 seconds', async () => {
    const clock = manualClock();
    const { asked, post } = silentSink(clock);
    const { outbox } = outboxWith([], { clock, post });
    const begunAt = clock.now();
    void outbox.send(command).catch(() => undefined);
    await clock.advance(30_099);
    expect(asked).toEqual([begunAt]);
    await clock.advance(1);
    expect(asked).toEqual([begunAt, begunAt + 30_100]);
  });

  test('is not waited for longer than the request that the event belongs to', async () => {
    const clock = manualClock();
    const { asked, post } = silentSink(clock);
    const { outbox } = outboxWith([], { clock, post });
    const request = new AbortController();
    const sent = outbox.send(command, request.signal).catch(String);
    await clock.advance(0);
    request.abort();
    expect(await sent).toContain('did not take an event: no answer');
    expect(asked).toHaveLength(1);
    expect(clock.timers()).toBe(0);
  });
});

test('a sink that answers with 300 has not taken the event', async () => {
  await expect(outboxWith([{ status: 300 }]).outbox.send(command)).rejects.toThrow('status 300');
});

test('facts are pending until they were sent', async () => {
  const { outbox } = outboxWith([{ status: 202 }]);
  outbox.publish(fact);
  expect(outbox.pending()).toBe(1);
  await outbox.flush();
  expect(outbox.pending()).toBe(0);
});

test('flushing waits for what is told meanwhile as well', async () => {
  const answers: (() => void)[] = [];
  const post = (): Promise<{ status: number }> =>
    new Promise((resolve) => answers.push(() => resolve({ status: 202 })));
  const { outbox } = outboxWith([], { post });
  outbox.publish(fact);
  let isFlushed = false;
  const flushed = outbox.flush().then(() => (isFlushed = true));
  outbox.publish({ ...fact, id: 'another' });
  await expect.poll(() => answers).toHaveLength(2);
  answers[0]?.();
  await expect.poll(() => outbox.pending()).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFlushed).toBe(false);
  answers[1]?.();
  await flushed;
  expect(outbox.pending()).toBe(0);
});
