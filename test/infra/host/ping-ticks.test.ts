import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createPingTicks } from '../../../infra/host/ping-ticks.ts';
import type { Kubernetes, WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { silent } from '../../../shared/runtime/log.ts';
import type { Ticks } from '../../../shared/runtime/ping-schedule.ts';
import { clockOf } from '../../builders/clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';

const patchSchema = z.object({ spec: z.object({ schedule: z.string() }) });
const pingSource = { namespace: 'phaseout', name: 'sweep-due' };
const annotations = {
  'phaseout.dev/schedule-while-deleting': '*/5 * * * * *',
  'phaseout.dev/schedule-at-rest': '0 0 1 1 *',
};

/** One PingSource, with all that was asked and written. */
class OnePingSource implements Pick<Kubernetes, 'get' | 'mergePatch'> {
  readonly calls: string[] = [];
  isDown = false;
  /** What the next write is answered with; it is written otherwise. */
  refusal: WriteOutcome | undefined;
  spec = { schedule: '0 0 1 1 *', sink: { uri: 'http://sink' } };
  annotations: Record<string, string> = annotations;

  async get(): Promise<KubeObject> {
    this.calls.push('get');
    if (this.isDown) throw new Unavailable('the API server is down');
    return {
      metadata: { ...pingSource, resourceVersion: '7', annotations: this.annotations },
      spec: this.spec,
    };
  }

  async mergePatch(_resource: unknown, _key: unknown, patch: object) {
    this.calls.push(JSON.stringify(patch));
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal !== undefined) return refusal;
    this.spec = { ...this.spec, ...patchSchema.parse(patch).spec };
    return { kind: 'written', object: await this.get() } as const;
  }
}

let kubernetes: OnePingSource;
let time: { now: number; passed: number };
const ticksAt = (): Ticks =>
  createPingTicks({
    kubernetes,
    clock: clockOf(
      () => time.now,
      () => time.passed,
    ),
    log: silent,
    pingSource,
  });

beforeEach(() => {
  kubernetes = new OnePingSource();
  time = { now: 1_000_000, passed: 0 };
});

describe('a tick that rests while nothing is being deleted', () => {
  test('is set going by a patch of the object that was read', async () => {
    await ticksAt().start();
    expect(kubernetes.calls.slice(0, 2)).toEqual([
      'get',
      '{"metadata":{"resourceVersion":"7"},"spec":{"schedule":"*/5 * * * * *"}}',
    ]);
    expect(kubernetes.spec).toEqual({ schedule: '*/5 * * * * *', sink: { uri: 'http://sink' } });
  });

  test('is put to rest again', async () => {
    const ticks = ticksAt();
    await ticks.start();
    await ticks.rest();
    expect(kubernetes.spec.schedule).toBe('0 0 1 1 *');
  });

  test('is not written when it has the schedule already', async () => {
    await ticksAt().rest();
    expect(kubernetes.calls).toEqual(['get']);
  });

  test('is asked about once, however many deletions begin within a minute', async () => {
    const ticks = ticksAt();
    await Promise.all([ticks.start(), ticks.start()]);
    time.now += 59_999;
    await ticks.start();
    expect(kubernetes.calls.filter((call) => call === 'get')).toHaveLength(2);
  });

  test.each<[seconds: number, schedule: string]>([
    [59, '0 0 1 1 *'],
    [60, '*/5 * * * * *'],
  ])(
    'is asked about a minute later though the clock was set back: not after %i s',
    async (seconds, schedule) => {
      const ticks = ticksAt();
      await ticks.start();
      kubernetes.spec = { ...kubernetes.spec, schedule: '0 0 1 1 *' };
      time.now -= 3_600_000;
      time.passed += seconds * 1_000;
      await ticks.start();
      expect(kubernetes.spec.schedule).toBe(schedule);
    },
  );

  test('is asked about again after a minute: another instance may have put it to rest', async () => {
    const ticks = ticksAt();
    await ticks.start();
    kubernetes.spec = { ...kubernetes.spec, schedule: '0 0 1 1 *' };
    time.now += 60_000;
    await ticks.start();
    expect(kubernetes.spec.schedule).toBe('*/5 * * * * *');
  });

  test('is set going at once after this instance put it to rest', async () => {
    const ticks = ticksAt();
    await ticks.start();
    await ticks.rest();
    await ticks.start();
    expect(kubernetes.spec.schedule).toBe('*/5 * * * * *');
  });

  test('goes when a deletion begins while this instance is putting it to rest', async () => {
    const ticks = ticksAt();
    await ticks.start();
    await Promise.all([ticks.rest(), ticks.start()]);
    expect(kubernetes.spec.schedule).toBe('*/5 * * * * *');
  });

  test('is tried again soon when it could not be read, but not by every step', async () => {
    const ticks = ticksAt();
    kubernetes.isDown = true;
    await ticks.start();
    await ticks.start();
    expect(kubernetes.calls).toEqual(['get']);
    kubernetes.isDown = false;
    time.now += 5_000;
    await ticks.start();
    expect(kubernetes.spec.schedule).toBe('*/5 * * * * *');
  });

  test.each<WriteOutcome>([
    { kind: 'conflict', message: 'changed' },
    { kind: 'gone' },
    { kind: 'refused', code: 403, message: 'may not' },
  ])('is tried again soon when it could not be written: %j', async (refusal) => {
    const ticks = ticksAt();
    kubernetes.refusal = refusal;
    await ticks.start();
    expect(kubernetes.spec.schedule).toBe('0 0 1 1 *');
    time.now += 5_000;
    await ticks.start();
    expect(kubernetes.spec.schedule).toBe('*/5 * * * * *');
  });

  test('says that it may not be written', async () => {
    const { lines, log } = logLines();
    kubernetes.refusal = { kind: 'refused', code: 403, message: 'may not' };
    await createPingTicks({ kubernetes, clock: clockOf(() => 1), log, pingSource }).start();
    expect(lines).toMatchObject([{ level: 'warn', msg: 'PingSource could not be set', why: 'may not' }]);
  });

  test('is left alone without the annotations that say its schedules', async () => {
    kubernetes.annotations = {};
    await ticksAt().start();
    expect(kubernetes.calls).toEqual(['get']);
  });
});
