import { describe, expect, test } from 'vitest';
import { whyExpected } from './expected.ts';
import type { Report } from './part.ts';
import { findingsOf, findingText, isUnexpected, sweepSummary } from './summary.ts';

const found = { at: 3, what: 'a delete, before it', violated: 'nothing is lost: a Pod' };
const reports: Report[] = [
  { story: 'plain', sweep: 'crash', runs: 20, found: [] },
  { story: 'plain', sweep: 'crash', runs: 21, found: [found] },
  { story: 'hooks', sweep: 'stale', runs: 4, found: [{ ...found, because: 'Nobody can know.' }] },
];
const linesOf = (all: readonly Report[]): string[] =>
  sweepSummary(all)
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

describe('the summary of sweeps', () => {
  test('counts runs by story and sweep, and what was found', () => {
    expect(linesOf(reports)).toEqual([
      'Runs by story and sweep:',
      'story crash stale',
      'plain 41 0',
      'hooks 0 4',
      'all 41 4',
      '',
      'Found, and known to be beyond anybody:',
      '1 Nobody can know.',
      '',
      'VIOLATED in 1 of them.',
      '',
    ]);
  });

  test('says when nothing was found', () => {
    expect(linesOf(reports.slice(0, 1))).toEqual([
      'Runs by story and sweep:',
      'story crash',
      'plain 20',
      'all 20',
      '',
      'Nothing was violated.',
      '',
    ]);
  });

  test('says when nothing was found but what is beyond anybody', () => {
    expect(linesOf(reports.slice(2))).toContain('Nothing else was violated.');
  });

  test('tells how to see a finding again', () => {
    expect(reports.flatMap(findingsOf).filter(isUnexpected).map(findingText)).toEqual([
      'plain: a delete, before it\n  nothing is lost: a Pod\n  npm run simulate -- --sweep crash --story plain --at 3\n',
    ]);
  });
});

describe('what an old answer brings about', () => {
  const list = 'list pods of blue by instance-1';
  const get = 'get nodes n of blue by instance-1';
  const lost = 'a drain is passed as done only when no Pod that must go is on the Node: a';
  test.each([
    { what: `${list}, the first of its kind, as 2 changes ago`, violated: lost, is: 'expected' },
    { what: `${list}, as 2 changes ago`, violated: lost, is: 'found' },
    { what: `${get}, as 2 changes ago, when it was not there`, violated: lost, is: 'expected' },
    {
      what: `${get}, as 2 changes ago, when it was not there`,
      violated: 'a Pod is evicted once by an instance, and not at all once it is on its way: b',
      is: 'found',
    },
    {
      what: 'get machines.cluster.x-k8s.io fleet/m of management by instance-1, as 2 changes ago, when it was not there',
      violated: lost,
      is: 'found',
    },
    {
      what: 'list nodes of blue by instance-1, the first of its kind, as 2 changes ago',
      violated: lost,
      is: 'found',
    },
    { what: `${get}, as 2 changes ago`, violated: lost, is: 'found' },
    {
      what: `${get}, as 2 changes ago`,
      violated: 'nothing is written that changes nothing: instance-1 cordons Node n in blue',
      is: 'expected',
    },
    {
      what: `${get}, as 2 changes ago`,
      violated: 'nothing is written that changes nothing: instance-1 writes the status of Machine fleet/m',
      is: 'found',
    },
  ])('$what is $is', ({ what, violated, is }) => {
    const why = whyExpected('stale', { at: 1, what, violated });
    expect(why === undefined ? 'found' : 'expected').toBe(is);
  });

  test('is expected of no other sweep', () => {
    const what = `${list}, the first of its kind, as 2 changes ago`;
    expect(whyExpected('crash', { at: 1, what, violated: lost })).toBeUndefined();
  });
});
