import { describe, expect, test } from 'vitest';
import { createHttpActuator } from '../../../../shared/adapters/actuator/http-actuator.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { type Clock, systemClock } from '../../../../shared/time/clock.ts';
import { clockOf } from '../../../builders/clock.ts';
import { aCluster, anOpenShiftMachine, targetOf } from '../../../builders/provider-machines.ts';
import { json, type LocalServer, type Respond, startServer, text } from '../kubernetes/local-server.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

const machine = anOpenShiftMachine({ uid: 'u-1' });
const target = targetOf(machine);

/** A provider that answers as the test says, badly for the most part, and an actuator that asks it. */
async function asking(respond: Respond, more: { tokens?: string[]; path?: string; clock?: Clock } = {}) {
  const server = await startServer(respond);
  const tokens = [...(more.tokens ?? [])];
  let current = tokens.shift();
  const token = {
    current: async () => current ?? '',
    forget: () => {
      current = tokens.shift() ?? current;
    },
  };
  const actuator = createHttpActuator({
    url: `${server.url}${more.path ?? ''}`,
    timeoutSeconds: 20,
    clock: more.clock ?? systemClock,
    ...(more.tokens && { token }),
  });
  return { ...server, actuator };
}

const whyOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => error,
  );

const sentTo = (server: LocalServer) =>
  server.seen.map(({ method, path, headers, body }) => ({
    method,
    path,
    authorization: headers.authorization,
    type: headers['content-type'],
    body,
  }));

describe('a request', () => {
  test('carries Machine and Cluster as they are, and the token', async () => {
    await using server = await asking((_, response) => json(response, 200, { exists: false }), {
      tokens: ['s3cret'],
      path: '/cloud/',
    });
    await server.actuator.exists(targetOf(machine, aCluster));
    expect(sentTo(server)).toEqual([
      {
        method: 'POST',
        path: '/cloud/v1/exists',
        authorization: 'Bearer s3cret',
        type: 'application/json',
        body: { machine, cluster: aCluster },
      },
    ]);
  });

  test('leaves out what there is not', async () => {
    await using server = await asking((_, response) => json(response, 200, {}));
    await server.actuator.create(target);
    expect(sentTo(server)).toMatchObject([
      { path: '/v1/create', authorization: undefined, body: { machine } },
    ]);
    expect(sentTo(server)[0]?.body).not.toHaveProperty('cluster');
  });
});

const unlessNew: Respond = ({ headers }, response) =>
  headers.authorization === 'Bearer new'
    ? json(response, 202, {})
    : json(response, 401, { error: { message: 'who are you?' } });

describe('a token that is refused', () => {
  test('is read anew, and the question asked once more', async () => {
    await using server = await asking(unlessNew, { tokens: ['old', 'new'] });
    expect(await server.actuator.delete(target)).toEqual({ kind: 'accepted' });
    expect(sentTo(server).map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('is not sent again when it is the same', async () => {
    await using server = await asking(unlessNew, { tokens: ['old'] });
    expect(await whyOf(server.actuator.delete(target))).toEqual(
      new Unavailable(`POST ${server.url}/v1/delete: answered 401: who are you?`),
    );
    expect(server.seen).toHaveLength(1);
  });

  test('is asked about once only', async () => {
    await using server = await asking(unlessNew, { tokens: ['old', 'older', 'new'] });
    expect(await whyOf(server.actuator.delete(target))).toBeInstanceOf(Unavailable);
    expect(server.seen).toHaveLength(2);
  });
});

test.each([
  ['is asked once more with the renewed one', 5_000, 2],
  ['is left to the next look: the Machine may be held by then', 5_001, 1],
])('a provider that was slow to refuse a token %s', async (_what, milliseconds, times) => {
  const time = { now: 0 };
  const late: Respond = (request, response, count) => {
    time.now += milliseconds;
    unlessNew(request, response, count);
  };
  const clock = clockOf(() => time.now);
  await using server = await asking(late, { tokens: ['old', 'new'], clock });
  await whyOf(server.actuator.delete(target));
  expect(server.seen).toHaveLength(times);
});

test.each([
  ['is carried to the provider', 5_000, ['Bearer s3cret'], 'answered'],
  [
    'leaves it to the next look: the Machine may be held by then',
    5_001,
    [],
    new Unavailable('POST http://127.0.0.1:1/v1/delete: it took too long to read its token'),
  ],
])('a token that was slow to come %s', async (_what, milliseconds, sent, outcome) => {
  const time = { now: 0 };
  const carried: (string | undefined)[] = [];
  const actuator = createHttpActuator({
    url: 'http://127.0.0.1:1',
    timeoutSeconds: 20,
    clock: clockOf(() => time.now),
    token: {
      current: async () => {
        time.now += milliseconds;
        return 's3cret';
      },
      forget: () => undefined,
    },
    fetch: async (_url, { headers }) => {
      carried.push(new Headers(headers).get('authorization') ?? undefined);
      return Response.json({}, { status: 202 });
    },
  });
  expect(await whyOf(actuator.delete(target))).toEqual(outcome);
  expect(carried).toEqual(sent);
});

const unavailableFor =
  (retryAfter: string): Respond =>
  (_, response) =>
    json(response, 503, { error: { message: 'no upstream' } }, { 'retry-after': retryAfter });

describe('nothing is known', () => {
  test('when the provider breaks down, naming operation and URL', async () => {
    await using server = await asking((_, response) => text(response, 500, 'oops'));
    expect(await whyOf(server.actuator.update(target))).toEqual(
      new Unavailable(`POST ${server.url}/v1/update: answered 500 with text/plain instead of JSON`),
    );
  });

  test.each([
    ['is kept', '7', 7],
    ['is a day at most', '8640000', 86_400],
    ['is not taken from a date', 'Fri, 31 Dec 2100 23:59:59 GMT', undefined],
  ])(
    'when something in between is down; how long it wants to be left alone %s',
    async (_what, header, seconds) => {
      await using server = await asking(unavailableFor(header));
      expect(await whyOf(server.actuator.exists(target))).toMatchObject({
        message: `POST ${server.url}/v1/exists: answered 503: no upstream`,
        retryAfterSeconds: seconds,
      });
    },
  );

  test('when it leads elsewhere: the token is not carried there', async () => {
    await using other = await startServer((_, response) => json(response, 200, { exists: false }));
    await using server = await asking(
      (_, response) => json(response, 307, {}, { location: `${other.url}/v1/exists` }),
      { tokens: ['s3cret'] },
    );
    expect(await whyOf(server.actuator.exists(target))).toBeInstanceOf(Unavailable);
    expect(other.seen).toEqual([]);
  });

  test('when nobody listens', async () => {
    const closed = await startServer(() => undefined);
    await closed[Symbol.asyncDispose]();
    const actuator = createHttpActuator({ url: closed.url, timeoutSeconds: 20, clock: systemClock });
    const { port } = new URL(closed.url);
    expect(await whyOf(actuator.exists(target))).toEqual(
      new Unavailable(`POST ${closed.url}/v1/exists: connect ECONNREFUSED 127.0.0.1:${port}`),
    );
  });

  test('when it does not answer in time', async () => {
    const clock = manualClock();
    const asked = Promise.withResolvers<void>();
    await using server = await startServer(() => asked.resolve());
    const actuator = createHttpActuator({ url: server.url, timeoutSeconds: 20, clock });
    const why = whyOf(actuator.exists(target));
    let isOver = false;
    void why.then(() => (isOver = true));
    await asked.promise;
    await clock.advance(19_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await why).toEqual(new Unavailable(`POST ${server.url}/v1/exists: no answer within 20 s`));
  });

  test('when it begins an answer and does not end it', async () => {
    const clock = manualClock();
    const asked = Promise.withResolvers<void>();
    await using server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"exists": fal', () => asked.resolve());
    });
    const actuator = createHttpActuator({ url: server.url, timeoutSeconds: 20, clock });
    const why = whyOf(actuator.exists(target));
    await asked.promise;
    await clock.advance(20_000);
    expect(await why).toEqual(new Unavailable(`POST ${server.url}/v1/exists: no answer within 20 s`));
  });

  test('when it answers more than a MiB', async () => {
    const padding = 'x'.repeat(1_048_576);
    await using server = await asking((_, response) => json(response, 200, { exists: false, padding }));
    expect(await whyOf(server.actuator.exists(target))).toEqual(
      new Unavailable(`POST ${server.url}/v1/exists: answered with more than 1048576 bytes`),
    );
  });
});

test('a connection that breaks is tried once more', async () => {
  await using server = await startServer((_, response, count) =>
    count === 1 ? response.destroy() : json(response, 200, { exists: true }),
  );
  const actuator = createHttpActuator({ url: server.url, timeoutSeconds: 20, clock: manualClock() });
  expect(await actuator.exists(target)).toEqual({ kind: 'exists' });
  expect(server.seen).toHaveLength(2);
});

test.each([
  ['that breaks a second after it was asked for is tried once more', 1_000, 2],
  ['that breaks later is not: the Machine may be being deleted by then', 1_001, 1],
])('a server to be made over a connection %s', async (_about, milliseconds, times) => {
  const clock = manualClock();
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  let tries = 0;
  const fetch = async (): Promise<Response> => {
    tries += 1;
    await clock.advance(milliseconds);
    throw new TypeError('fetch failed', { cause });
  };
  const actuator = createHttpActuator({ url: 'http://here', timeoutSeconds: 20, clock, fetch });
  expect(await whyOf(actuator.create(target))).toEqual(
    new Unavailable('POST http://here/v1/create: other side closed (UND_ERR_SOCKET)'),
  );
  expect(tries).toBe(times);
});

test('a connection that was never made is not tried again at once: nothing is lost by waiting', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  let tries = 0;
  const fetch = async (): Promise<Response> => {
    tries += 1;
    throw new TypeError('fetch failed', { cause });
  };
  const actuator = createHttpActuator({ url: 'http://here', timeoutSeconds: 20, clock: systemClock, fetch });
  expect(await whyOf(actuator.exists(target))).toEqual(
    new Unavailable('POST http://here/v1/exists: connect ECONNREFUSED'),
  );
  expect(tries).toBe(1);
});

test.each<[came: string, respond: Respond]>([
  ['was answered', (_, response) => json(response, 200, { exists: true })],
  ['failed', (_, response) => text(response, 500, 'oops')],
])('a call that %s leaves no timer behind', async (_came, respond) => {
  const timers = new Set<symbol>();
  const after: Clock['after'] = () => {
    const timer = Symbol('timer');
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  await using server = await startServer(respond);
  const clock = { ...clockOf(() => 0), after };
  await whyOf(createHttpActuator({ url: server.url, timeoutSeconds: 20, clock }).exists(target));
  expect(server.seen).toHaveLength(1);
  expect([...timers]).toEqual([]);
});

test('no error tells the token', async () => {
  await using server = await asking((_, response) => response.destroy(), { tokens: ['s3cret'] });
  const why = await whyOf(server.actuator.exists(target));
  expect(why).toBeInstanceOf(Unavailable);
  expect(String(why) + JSON.stringify(why)).not.toContain('s3cret');
});

test.each([
  ['provider.example', 'the URL of the provider must begin with http:// or https://'],
  ['ftp://provider.example', 'the URL of the provider must begin with http:// or https://'],
  ['http://me:s3cret@here', 'the URL of the provider must have no user, password, query or fragment'],
  ['http://:s3cret@here', 'the URL of the provider must have no user, password, query or fragment'],
  ['http://here?token=s3cret', 'the URL of the provider must have no user, password, query or fragment'],
])('%s is no URL of a provider', (url, message) => {
  expect(() => createHttpActuator({ url, timeoutSeconds: 20, clock: systemClock })).toThrow(
    new Error(message),
  );
});
