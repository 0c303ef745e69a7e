import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openMetrics } from '../../../../infra/host/metrics/metrics.ts';
import { createRegistry } from '../../../../infra/host/metrics/registry.ts';
import { metricDefinitions } from '../../../../shared/runtime/metrics-definitions.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

const guide = readFileSync(new URL('../../../../infra/metrics.md', import.meta.url), 'utf8');

const linesOf = (page: string, name: string): string[] =>
  page.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

describe('the metrics', () => {
  test('in the guide are those that Prometheus is shown, with their kinds, and no others', async () => {
    const { body } = await createRegistry(manualClock()).page();
    const shown = [...body.matchAll(/^# TYPE ((?:phaseout|mapi)_\w+) (\w+)$/gm)].map(
      ([, name, kind]) => `${name} ${kind}`,
    );
    const told = [...guide.matchAll(/^\| `((?:phaseout|mapi)_\w+)` \| (\w+) \|/gm)].map(
      ([, name, kind]) => `${name} ${kind}`,
    );
    expect(told).toHaveLength(Object.keys(metricDefinitions).length);
    expect(new Set(shown)).toEqual(new Set(told));
    expect(shown).toHaveLength(told.length);
  });

  test('have the labels and the meaning that the guide tells of', () => {
    const rows = Object.values(metricDefinitions).map(
      ({ name, kind, labels, meaning }) =>
        `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(' ')} | ${meaning} |`,
    );
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });

  test('are named as Prometheus has it: what is counted ends in total, what is measured in its unit', () => {
    const endings = { counter: /_total$/, histogram: /_seconds$/, gauge: /(?<!_total)$/ };
    const ours = Object.values(metricDefinitions).filter(
      ({ name }) => name !== 'mapi_instance_delete_failed',
    );
    const odd = ours.filter(
      ({ kind, name }) => !endings[kind].test(name) || !/^phaseout_[a-z_]+$/.test(name),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  test('of Prometheus name in the alerts of the guide only what there is', () => {
    const named = [...guide.matchAll(/\bphaseout_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
    const known: string[] = Object.values(metricDefinitions).map(({ name }) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

test('which version runs, and on which Node, is told from the start', async () => {
  const { page } = openMetrics(manualClock());
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
  expect(linesOf((await page()).body, 'phaseout_build_info')).toEqual([
    `phaseout_build_info{version="${version}",node_version="${process.version}"} 1`,
  ]);
});

describe('what is counted', () => {
  test('holds nobody up: a time that is none is left out', async () => {
    const { metrics, page } = createRegistry(manualClock());
    metrics.observe('deletionSeconds', { machine_api: 'openshift' }, Number.NaN);
    const { body } = await page();
    expect(linesOf(body, 'phaseout_deletion_duration_seconds_count')).toEqual([]);
  });

  test('is added up, sorted into classes, and the newest is what a gauge shows', async () => {
    const { metrics, page } = createRegistry(manualClock());
    metrics.count('deletionsStarted', { machine_api: 'openshift' });
    metrics.count('deletionsStarted', { machine_api: 'openshift' });
    metrics.observe('deletionSeconds', { machine_api: 'openshift' }, 90_000);
    metrics.add('requestsInFlight', { function: 'drain' }, 1);
    metrics.add('requestsInFlight', { function: 'drain' }, -1);
    metrics.replace('machinesDeleting', [
      { labels: { machine_api: 'openshift', phase: 'drain', reason: '' }, value: 7 },
    ]);
    metrics.replace('machinesDeleting', [
      { labels: { machine_api: 'openshift', phase: 'node', reason: '' }, value: 2 },
    ]);
    const { body, headers } = await page();
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(linesOf(body, 'phaseout_deletions_started_total')).toEqual([
      'phaseout_deletions_started_total{machine_api="openshift"} 2',
    ]);
    expect(linesOf(body, 'phaseout_http_requests_in_flight')).toEqual([
      'phaseout_http_requests_in_flight{function="drain"} 0',
    ]);
    expect(linesOf(body, 'phaseout_machines_deleting')).toEqual([
      'phaseout_machines_deleting{machine_api="openshift",phase="node",reason=""} 2',
    ]);
    const classes = linesOf(body, 'phaseout_deletion_duration_seconds_bucket').map((line) => [
      /le="([^"]+)"/.exec(line)?.[1],
      line.endsWith(' 1'),
    ]);
    expect(classes).toContainEqual(['0.1', false]);
    expect(classes).toContainEqual(['86400', false]);
    expect(classes).toContainEqual(['259200', true]);
  });

  test('before anything is loaded that shows it is counted all the same, in its order', async () => {
    const { metrics, page } = openMetrics(manualClock());
    metrics.count('wakeUps', {});
    metrics.replace('wakeUpsKept', [{ labels: {}, value: 3 }]);
    metrics.replace('wakeUpsKept', [{ labels: {}, value: 1 }]);
    metrics.observe('dueLag', { by: 'sweep' }, 4);
    metrics.add('requestsInFlight', { function: 'drain' }, 1);
    const first = (await page()).body;
    expect(first).toContain('phaseout_wake_ups_total 1');
    expect(first).toContain('phaseout_wake_ups_kept 1');
    expect(first).toContain('phaseout_due_lag_seconds_sum{by="sweep"} 4');
    expect(first).toContain('phaseout_http_requests_in_flight{function="drain"} 1');
    metrics.count('wakeUps', {});
    expect((await page()).body).toContain('phaseout_wake_ups_total 2');
  });
});
