import { describe, expect, test } from 'vitest';
import { Ages } from '../../../../infra/host/metrics/ages.ts';
import { openMetrics } from '../../../../infra/host/metrics/metrics.ts';
import type { Since } from '../../../../shared/runtime/metrics.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

const minute = 60_000;
const start = Date.UTC(2040, 0, 1);

const since = (machine_namespace: string, minutesAgo: number): Since<'oldestDeletion'> => ({
  labels: { machine_api: 'cluster-api', machine_namespace, reason: 'DrainingNode' },
  since: start - minutesAgo * minute,
});

function told() {
  const clock = manualClock();
  const ages = new Ages(clock);
  const values = () =>
    ages
      .readings()
      .map(({ labels, value }) => [
        Object.entries(labels).find(([name]) => name === 'machine_namespace')?.[1],
        value,
      ]);
  return { clock, ages, values };
}

describe('the age of what a sweep has seen', () => {
  test('grows from one reading to the next, without another sweep', async () => {
    const { clock, ages, values } = told();
    ages.replace([since('blue', 10)], true);
    expect(values()).toEqual([['blue', 600]]);
    await clock.advance(2 * minute);
    expect(values()).toEqual([['blue', 720]]);
  });

  test('ends with the next full sweep that does not see it', () => {
    const { ages, values } = told();
    ages.replace([since('blue', 10), since('green', 1)], true);
    ages.replace([since('green', 1)], true);
    expect(values()).toEqual([['green', 60]]);
  });

  test('ends four minutes after it was seen last: another instance may have seen its end', async () => {
    const { clock, ages, values } = told();
    ages.replace([since('blue', 10)], true);
    await clock.advance(4 * minute);
    expect(values()).toEqual([['blue', 840]]);
    await clock.advance(1);
    expect(values()).toEqual([]);
  });

  test('stays for these minutes where a sweep could not see all', async () => {
    const { clock, ages, values } = told();
    ages.replace([since('blue', 10)], true);
    await clock.advance(3 * minute);
    ages.replace([since('green', 0)], false);
    expect(values()).toEqual([
      ['blue', 780],
      ['green', 180],
    ]);
    await clock.advance(2 * minute);
    expect(values()).toEqual([['green', 300]]);
  });

  test('is never below zero: the clocks of two servers differ', () => {
    const { ages, values } = told();
    ages.replace([since('blue', -1)], true);
    expect(values()).toEqual([['blue', 0]]);
  });

  test('is what Prometheus reads, and nothing once it has ended', async () => {
    const clock = manualClock();
    const { metrics, page } = openMetrics(clock);
    const lines = async () =>
      (await page()).body.split('\n').filter((line) => line.startsWith('phaseout_oldest_deletion_seconds{'));
    metrics.showAges('oldestDeletion', [since('blue', 10)], true);
    expect(await lines()).toEqual([
      'phaseout_oldest_deletion_seconds{machine_api="cluster-api",machine_namespace="blue",reason="DrainingNode"} 600',
    ]);
    metrics.showAges('oldestDeletion', [], true);
    expect(await lines()).toEqual([]);
  });
});
