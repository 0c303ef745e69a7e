import { describe, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import { createUnderWay } from '../../../shared/async/under-way.ts';
import { type AppOptions, createApp, type Flight } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { BrokenOff } from '../../../shared/http/failures.ts';
import { defineFunction, type Reply } from '../../../shared/http/function.ts';
import { text } from '../../../shared/http/message.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { clockOf } from '../../builders/clock.ts';
import { countedMetrics, recordedTracing } from '../../builders/observed.ts';
import { about, time } from '../../events/examples.ts';
import { logLines } from './log-lines.ts';

const type = 'dev.phaseout.deletion.advance.v1';
const trace = '0af7651916cd43dd8448eb211c80319c';
const made = { traceparent: `00-${trace}-1111111111111111-01`, tracestate: 'vendor=1' };
const lastHop = `00-${trace}-2222222222222222-01`;
const foreignHop = '00-ffffffffffffffffffffffffffffffff-3333333333333333-01';
const plain = toBinary(advance(about, time));
const traced = toBinary(advance({ ...about, trace: made }, time));

const clock = clockOf(() => time + 3_000);

const couldNotLook = (): never => {
  throw new Unavailable('not now');
};
const notAsked = (): Promise<never> => Promise.reject(new Error('nobody asked for it'));
const emptyBody = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());

/** Where no request may be worked on; `broken`: what becomes of the body of one. */
function turnedAway(broken?: Error) {
  const { metrics, counted } = countedMetrics();
  const limits: number[] = [];
  const readBody = async (limit: number): Promise<number> => {
    if (broken !== undefined) throw broken;
    return limits.push(limit);
  };
  const drain = defineFunction([type], async () => undefined);
  const app = createApp(
    { '/drain': drain },
    { clock, log: silent, requestTimeoutSeconds: 5, metrics, maxInFlight: 0 },
  );
  const answered = app({ method: 'POST', path: '/drain', headers: plain.headers, readBody });
  return answered.then(({ status }) => ({ status, counted, limits }));
}

function askForPage(method: string, metricsPage?: AppOptions['metricsPage']) {
  const page = metricsPage === undefined ? {} : { metricsPage };
  const app = createApp({}, { clock, log: silent, requestTimeoutSeconds: 5, ...page });
  return app({ method, path: '/metrics', headers: {}, readBody: emptyBody });
}

/** A function `drain` that is asked over HTTP, at three seconds after the event was made. */
function asked(
  headers: Record<string, string>,
  { body = plain.body, said }: { body?: string; said?: () => Reply } = {},
) {
  const { metrics, counted } = countedMetrics();
  const { tracing, spans } = recordedTracing(made);
  const drain = defineFunction([type], async () => said?.());
  const options: AppOptions = { clock, log: silent, requestTimeoutSeconds: 5, metrics, tracing };
  const app = createApp({ '/drain': drain }, options);
  const bytes = new TextEncoder().encode(body);
  const readBody = (): Promise<Uint8Array> => Promise.resolve(bytes);
  const answered = app({ method: 'POST', path: '/drain', headers, readBody });
  return answered.then((answer) => ({ answer, counted, spans }));
}

describe('a request is counted', () => {
  test('that is turned away, and its body is read', async () => {
    const { status, counted, limits } = await turnedAway();
    expect({ status, limits }).toEqual({ status: 429, limits: [0] });
    expect(counted).toContain('requests function=drain status=429');
  });

  test('that is turned away although its sender has gone by then', async () => {
    expect(await turnedAway(new BrokenOff())).toMatchObject({ status: 429 });
    await expect(turnedAway(new TypeError('undefined is not a function'))).rejects.toThrow(TypeError);
  });

  test('with the time that it took, in its line of the log too', async () => {
    let now = time;
    const { metrics, counted } = countedMetrics();
    const { log, lines } = logLines();
    const drain = defineFunction([type], async () => void (now += 1_500));
    const moving = clockOf(() => now);
    const app = createApp({ '/drain': drain }, { clock: moving, log, requestTimeoutSeconds: 5, metrics });
    const body = new TextEncoder().encode(plain.body);
    await app({ method: 'POST', path: '/drain', headers: plain.headers, readBody: async () => body });
    expect(counted).toContain('requestSeconds function=drain 1.5');
    expect(lines).toMatchObject([{ msg: 'request', milliseconds: 1_500 }]);
  });

  test('with its function, status and time, and how old its event is', async () => {
    const { counted } = await asked({ ...plain.headers, 'ce-knativearrivaltime': '2026-11-20T10:35:43.5Z' });
    expect(counted).toEqual([
      'requestsInFlight function=drain 1',
      `eventAge type=${type} since=sent 3`,
      `eventAge type=${type} since=broker 0.5`,
      'requestsInFlight function=drain -1',
      'requests function=drain status=204',
      'requestSeconds function=drain 0',
    ]);
  });

  test('when it could not be answered', async () => {
    const { counted } = await asked(plain.headers, { said: couldNotLook });
    expect(counted).toContain('requests function=drain status=503');
    expect(counted).toContain('requestsInFlight function=drain -1');
  });

  test('without an age where the event says none, or one that cannot be', async () => {
    const { 'ce-time': _, ...timeless } = plain.headers;
    const { counted } = await asked({ ...timeless, 'ce-knativearrivaltime': 'lately' });
    expect(counted.filter((line) => line.startsWith('eventAge'))).toEqual([]);
  });

  test('as new where the clock of who sent it is ahead', async () => {
    const { counted } = await asked({ ...plain.headers, 'ce-time': '2026-11-20T10:36:00Z' });
    expect(counted).toContain(`eventAge type=${type} since=sent 0`);
  });
});

describe('a delivery belongs to the trace', () => {
  const { traceparent } = made;

  test.each<[string, Record<string, string>, object]>([
    [
      'that its header names',
      { ...plain.headers, traceparent: foreignHop },
      { parent: { traceparent: foreignHop } },
    ],
    [
      'that its event names, where the header has been lost',
      { ...plain.headers, 'ce-traceparent': traceparent },
      {
        parent: { traceparent },
      },
    ],
    [
      'of both, after the last hop',
      { ...traced.headers, traceparent: lastHop },
      {
        parent: { traceparent: lastHop, tracestate: 'vendor=1' },
      },
    ],
    [
      'of its event, with a link to that of a broker which began one of its own',
      { ...traced.headers, traceparent: foreignHop, tracestate: '' },
      { parent: made, link: { traceparent: foreignHop } },
    ],
    ['of nobody where none is named', plain.headers, { parent: undefined }],
    [
      'of nobody where none can be read',
      { ...plain.headers, traceparent: 'nonsense' },
      { parent: undefined },
    ],
  ])('%s', async (_what, headers, expected) => {
    const { spans } = await asked(headers);
    const [span] = spans;
    expect(spans).toHaveLength(1);
    expect({ parent: span?.parent, ...(span?.link && { link: span.link }) }).toEqual(expected);
  });

  test('as a span with the function, the event and the Machine', async () => {
    const { spans } = await asked(plain.headers);
    expect(spans[0]).toMatchObject({
      name: 'drain',
      kind: 'consumer',
      attributes: {
        'phaseout.function': 'drain',
        'cloudevents.event_type': type,
        'cloudevents.event_id': 'af06f518-e44a-42dc-a686-cb100956ef7b/drain/2',
        'phaseout.machine.namespace': 'fleet',
        'phaseout.machine.name': 'worker-7',
        'phaseout.machine.uid': 'af06f518-e44a-42dc-a686-cb100956ef7b',
      },
    });
  });
});

test('the lines of a function name its trace', async () => {
  const { lines, log } = logLines();
  const speaking = defineFunction([type], async (_event, { log: said }) => {
    said.info('Node cordoned');
    return undefined;
  });
  const { tracing } = recordedTracing(made);
  const app = createApp({ '/drain': speaking }, { clock, log, requestTimeoutSeconds: 5, tracing });
  const readBody = (): Promise<Uint8Array> => Promise.resolve(new TextEncoder().encode(plain.body));
  await app({ method: 'POST', path: '/drain', headers: plain.headers, readBody });
  expect(lines.find(({ msg }) => msg === 'Node cordoned')).toMatchObject({ function: 'drain', trace });
});

describe('an event carries its trace', () => {
  test('as an extension and as the header of its hop', async () => {
    const { answer } = await asked(plain.headers, { said: () => advance({ ...about, trace: made }, time) });
    expect(answer.headers).toMatchObject({
      traceparent: made.traceparent,
      tracestate: 'vendor=1',
      'ce-traceparent': made.traceparent,
      'ce-tracestate': 'vendor=1',
    });
  });

  test('nowhere when it has none', async () => {
    const { answer } = await asked(plain.headers, { said: () => advance(about, time) });
    expect(Object.keys(answer.headers).filter((name) => name.includes('trace'))).toEqual([]);
  });
});

describe('the page of the metrics', () => {
  test('is what it is given', async () => {
    expect(await askForPage('GET', async () => text(200, 'up 1'))).toMatchObject({
      status: 200,
      body: 'up 1',
    });
  });

  test('is only read', async () => {
    expect(await askForPage('POST', async () => text(200, 'up 1'))).toMatchObject({ status: 405 });
  });

  test('takes the place of no other', async () => {
    const options = { clock, log: silent, requestTimeoutSeconds: 5, metricsPage: notAsked };
    const app = createApp({}, options);
    const request = { method: 'GET', path: '/drain', headers: {}, readBody: emptyBody };
    expect(await app(request)).toMatchObject({ status: 404 });
  });

  test('is not there where nothing is counted', async () => {
    expect(await askForPage('GET')).toMatchObject({ status: 404 });
  });
});

test('a request is under way, with its name and since when, until it is answered', async () => {
  const inFlight = createUnderWay<Flight>();
  const seen: Flight[][] = [];
  const drain = defineFunction([type], async () => void seen.push(inFlight.all()));
  const options = { clock, log: silent, requestTimeoutSeconds: 5, inFlight, newRequestId: () => 'r-1' };
  const app = createApp({ '/drain': drain }, options);
  const body = new TextEncoder().encode(plain.body);
  await app({ method: 'POST', path: '/drain', headers: plain.headers, readBody: async () => body });
  expect(seen).toEqual([[{ function: 'drain', request: 'r-1', since: time + 3_000 }]]);
  expect(inFlight.all()).toEqual([]);
});
