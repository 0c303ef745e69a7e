import { describe, expect, type TestContext, test } from 'vitest';
import { createOtelTracing } from '../../../../infra/host/tracing/otel.ts';
import type { TracingSettings } from '../../../../infra/host/tracing/settings.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import type { Tracing } from '../../../../shared/runtime/tracing.ts';
import { compareBytes } from '../../../../shared/text/byte-order.ts';
import { clockOf } from '../../../builders/clock.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';
import { logLines } from '../../../shared/http/log-lines.ts';
import { otlpReceiver } from '../otlp-receiver.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const sampled = { traceparent: `00-${trace}-b7ad6b7169203331-01`, tracestate: 'vendor=1' };
const unsampled = { traceparent: `00-${trace}-b7ad6b7169203331-00` };
const foreign = { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' };

const time = { now: 1_700_000_000_000 };

/** What a collector has when all is over. */
async function traced(
  context: TestContext,
  run: (tracing: Tracing) => Promise<unknown>,
  settings: Partial<TracingSettings> = {},
) {
  const collector = await otlpReceiver(context);
  const { tracing, close } = createOtelTracing(
    {
      url: `${collector.url}/v1/traces`,
      sampler: 'parentbased_always_on',
      ratio: 1,
      resource: { 'service.name': 'phaseout' },
      ...settings,
    },
    { clock: clockOf(() => time.now), log: silent },
  );
  await run(tracing);
  await close();
  return collector;
}

describe('spans', () => {
  test('are parts of the one that they begin in, whatever runs beside it', async (context) => {
    const { spans } = await traced(context, async (tracing) => {
      const look = () => tracing.span('look', {}, async () => undefined);
      await Promise.all([
        tracing.span('drain', { kind: 'consumer' }, look),
        tracing.span('node', { kind: 'consumer' }, look),
      ]);
    });
    const nameOf = (id?: string) => spans.find(({ spanId }) => spanId === id)?.name;
    const nested = spans.map(({ name, parentSpanId }) => `${name} in ${nameOf(parentSpanId)}`);
    expect(nested.toSorted(compareBytes)).toEqual([
      'drain in undefined',
      'look in drain',
      'look in node',
      'node in undefined',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  test('go on with the context of a delivery, and link to another', async (context) => {
    const { spans } = await traced(context, (tracing) =>
      tracing.span('drain', { parent: sampled, link: foreign }, async () => undefined),
    );
    expect(spans).toMatchObject([
      {
        traceId: trace,
        parentSpanId: 'b7ad6b7169203331',
        links: [{ traceId: '11111111111111111111111111111111', spanId: '2222222222222222' }],
      },
    ]);
  });

  test('have the times of the clock, their attributes and what failed', async (context) => {
    const { spans } = await traced(context, async (tracing) => {
      const failing = tracing.span(
        'drain',
        { attributes: { 'phaseout.seq': 2, left: undefined } },
        async (span) => {
          span.set({ 'phaseout.decision': 'wait' });
          time.now += 250;
          throw new Error('not now');
        },
      );
      await expect(failing).rejects.toThrow('not now');
    });
    const [span] = spans;
    expect(span).toMatchObject({
      attributes: { 'phaseout.seq': 2, 'phaseout.decision': 'wait' },
      status: { code: 2, message: 'not now' },
    });
    expect(Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0))).toBe(
      250_000_000,
    );
  });

  test('of requests are told when they are over, and only within a piece of work', async (context) => {
    const { spans } = await traced(context, async (tracing) => {
      const past = {
        milliseconds: 40,
        attributes: { 'http.response.status_code': 503 },
        failure: 'status 503',
      };
      tracing.asked('get nodes', past);
      await tracing.span('look', {}, async () => tracing.asked('get nodes', past));
    });
    expect(spans.map(({ name }) => name)).toEqual(['get nodes', 'look']);
    const asked = spans.find(({ name }) => name === 'get nodes');
    expect(asked).toMatchObject({
      kind: 3,
      parentSpanId: spans.find(({ name }) => name === 'look')?.spanId,
      attributes: { 'http.response.status_code': 503 },
      status: { code: 2, message: 'status 503' },
    });
    expect(Number(asked?.startTimeUnixNano)).toBe((time.now - 40) * 1_000_000);
  });
});

describe('the context to go on with', () => {
  test('is that of the span one is in, and its state', async (context) => {
    const carried: (string | undefined)[] = [];
    const { spans } = await traced(context, async (tracing) => {
      carried.push(tracing.current()?.traceparent);
      await tracing.span('drain', { parent: sampled }, async () => {
        carried.push(tracing.current()?.traceparent, tracing.current()?.tracestate);
      });
    });
    expect(carried).toEqual([undefined, `00-${trace}-${spans[0]?.spanId}-01`, 'vendor=1']);
  });

  test('says that nobody keeps the trace when that was decided before', async (context) => {
    let carried = '';
    const { spans } = await traced(context, (tracing) =>
      tracing.span('drain', { parent: unsampled }, async () => {
        carried = tracing.current()?.traceparent ?? '';
      }),
    );
    expect(spans).toEqual([]);
    expect(carried).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  });
});

test.for<[TracingSettings['sampler'], number, number]>([
  ['always_on', 1, 2],
  ['always_off', 1, 0],
  ['traceidratio', 0, 0],
  ['traceidratio', 1, 2],
  ['parentbased_always_off', 1, 1],
  ['parentbased_traceidratio', 0, 1],
])('%s with %d keeps %d of a trace that begins here and one that is kept elsewhere', async (row, context) => {
  const [sampler, ratio, kept] = row;
  const { spans } = await traced(
    context,
    async (tracing) => {
      await tracing.span('here', {}, async () => undefined);
      await tracing.span('there', { parent: sampled }, async () => undefined);
    },
    { sampler, ratio },
  );
  expect(spans).toHaveLength(kept);
});

test('a collector that takes nothing holds the end of the process up for two seconds, and a word is said', async () => {
  const clock = manualClock();
  const { lines, log } = logLines();
  const settings = { sampler: 'always_on', ratio: 1, resource: {} } as const;
  const { tracing, close } = createOtelTracing(
    { ...settings, url: 'http://127.0.0.1:9/v1/traces' },
    { clock, log },
  );
  await tracing.span('drain', {}, async () => undefined);
  const closed = close();
  await clock.advance(2_000);
  await closed;
  expect(lines).toMatchObject([
    { msg: 'Spans were not sent', error: { message: 'the collector did not take them within 2000 ms' } },
  ]);
});
