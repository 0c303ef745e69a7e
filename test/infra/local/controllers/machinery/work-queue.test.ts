import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../../../infra/local/controllers/machinery/work-queue.ts';
import { ApiError } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

function aQueue(outcome: (key: string) => void = () => {}) {
  const clock = new VirtualClock(0);
  const looks: string[] = [];
  const reported: string[] = [];
  const queue = new WorkQueue({
    clock,
    reconcile(key) {
      looks.push(`${key}@${clock.now()}`);
      outcome(key);
    },
    report: (error, key) => reported.push(`${key}: ${String(error)}`),
  });
  return { clock, queue, looks, reported };
}

function refusal(code: number, reason: string): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: reason,
  });
}

describe('a work queue', () => {
  it('looks once at a key however often it was added', async () => {
    const { clock, queue, looks } = aQueue();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    await clock.advance(0);
    expect(looks).toEqual(['a@0', 'b@0']);
  });

  it('takes the earliest of several times for one key', async () => {
    const { clock, queue, looks } = aQueue();
    queue.addAt('a', 500);
    queue.addAt('a', 200);
    queue.addAt('a', 900);
    await clock.advance(1000);
    expect(looks).toEqual(['a@200']);
  });

  it('looks at other keys when one fails, and again at that later and later', async () => {
    const { clock, queue, looks, reported } = aQueue((key) => {
      if (key === 'bad') throw new Error('no');
    });
    for (const key of ['bad', 'good']) queue.add(key);
    await clock.advance(400);
    expect(looks).toEqual(['bad@0', 'good@0', 'bad@50', 'bad@150', 'bad@350']);
    expect(reported).toEqual(['bad: Error: no']);
  });

  it.each([
    [404, 'NotFound', []],
    [409, 'Conflict', []],
    [422, 'Invalid', ['a: Error: Invalid']],
  ])('reports a %i %s as %j', async (code, reason, expected) => {
    const { clock, queue, reported } = aQueue(() => {
      throw refusal(code, reason);
    });
    queue.add('a');
    await clock.advance(10_000);
    expect(reported).toEqual(expected);
  });

  it('does nothing once it has stopped', async () => {
    const { clock, queue, looks } = aQueue();
    queue.add('a');
    queue.addAt('b', 100);
    queue.stop();
    queue.add('c');
    await clock.advance(1000);
    expect(looks).toEqual([]);
  });
});
