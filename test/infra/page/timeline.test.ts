import { describe, expect, test } from 'vitest';
import { layOut } from '../../../infra/page/client/timeline-layout.ts';
import { timelineOf } from '../../../infra/page/look/timeline.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => start + seconds * 1_000;
const iso = (seconds: number) => new Date(at(seconds)).toISOString();

const entry = (
  seconds: number,
  phase: string,
  what: HistoryEntry['what'],
  reason: string,
  message = '',
): HistoryEntry => ({ at: at(seconds), id: String(seconds), phase, what, reason, message, by: 'local' });

const pod: PodRecord = {
  podUid: 'u',
  namespace: 'shop',
  name: 'web-1',
  attempts: 3,
  refusals: { BudgetExhausted: 2 },
  firstAttempt: at(4),
  lastAttempt: at(8),
  outcome: 'accepted',
  lastRefusal: { cause: 'BudgetExhausted', text: 'no room' },
};

const checkpoint: Checkpoint = {
  v: 1,
  uid: 'm',
  seq: 2,
  phase: 'volume-detach',
  since: iso(10),
  passed: {
    'pre-drain': { as: 'done', since: iso(0) },
    drain: { as: 'timed-out', since: iso(2) },
    'hand-over': { as: 'not-applicable', since: iso(10) },
  },
};

const history = [
  entry(1, 'pre-drain', 'waited', 'WaitingForPreDrainHook', 'hooks'),
  entry(2, 'pre-drain', 'advanced', 'done'),
  entry(4, 'drain', 'acted', 'DrainingNode', 'Evicting 1 of 1 Pods'),
  entry(10, 'drain', 'advanced', 'timed-out'),
];

describe('the timeline of a deletion', () => {
  test('has the phases of its history, the Pods, and what was done', () => {
    const deletionTimestamp = iso(0);
    expect(timelineOf({ deletionTimestamp, checkpoint, history, pods: [pod], now: at(12) })).toEqual({
      from: at(0),
      to: at(12),
      isOver: false,
      stays: [
        { phase: 'pre-drain', from: at(0), to: at(2), as: 'done' },
        { phase: 'drain', from: at(2), to: at(10), as: 'timed-out' },
        { phase: 'volume-detach', from: at(10) },
      ],
      pods: [{ pod: 'shop/web-1', from: at(4), to: at(8), outcome: 'accepted', refused: 2, why: 'no room' }],
      marks: [
        { at: at(1), phase: 'pre-drain', kind: 'waits', reason: 'WaitingForPreDrainHook', message: 'hooks' },
        { at: at(4), phase: 'drain', kind: 'acts', reason: 'DrainingNode', message: 'Evicting 1 of 1 Pods' },
      ],
    });
  });

  test('is that of the checkpoint where there is no history', () => {
    const found = timelineOf({ deletionTimestamp: iso(0), checkpoint, history: [], pods: [], now: at(12) });
    expect(found?.stays).toEqual([
      { phase: 'pre-drain', from: at(0), to: at(2), as: 'done' },
      { phase: 'drain', from: at(2), to: at(10), as: 'timed-out' },
      { phase: 'volume-detach', from: at(10) },
    ]);
  });

  test('is what the Machine shows where the controller of its API deletes it', () => {
    const standing = { phase: 'drain', since: iso(3), deletedAt: iso(0) } as const;
    const found = timelineOf({ deletionTimestamp: iso(0), standing, history: [], pods: [], now: at(12) });
    expect(found?.stays).toEqual([{ phase: 'drain', from: at(3) }]);
  });

  test('goes on with that controller after a hand-over', () => {
    const released = iso(10);
    const handedOver: Checkpoint = { ...checkpoint, phase: 'hand-over', released };
    const standing = { phase: 'infrastructure', deletedAt: iso(0) } as const;
    const known = { checkpoint: handedOver, standing, history: [], pods: [] };
    const found = timelineOf({ ...known, deletionTimestamp: iso(0), now: at(12) });
    expect(found?.stays.slice(2)).toEqual([
      { phase: 'hand-over', from: at(10), to: at(10), as: 'done' },
      { phase: 'infrastructure', from: at(10) },
    ]);
  });

  test('ends where the Machine is gone', () => {
    const found = timelineOf({
      deletionTimestamp: iso(0),
      checkpoint,
      history,
      pods: [],
      now: at(99),
      went: { at: at(11) },
    });
    expect({ to: found?.to, isOver: found?.isOver, last: found?.stays.at(-1) }).toEqual({
      to: at(11),
      isOver: true,
      last: { phase: 'volume-detach', from: at(10), to: at(11) },
    });
  });

  test('says of an end that nobody saw that it lasted at most so long', () => {
    const went = { at: at(20), after: at(12) };
    const found = timelineOf({
      deletionTimestamp: iso(0),
      checkpoint,
      history,
      pods: [],
      now: at(99),
      went,
    })!;
    expect(found).toMatchObject({ to: at(20), isOver: true, endsAfter: at(12) });
    const titles = layOut(found).rows.map(({ bars }) => bars[0]?.title);
    expect(titles.slice(1)).toEqual([
      'drain: 8.0 s, passed: timed-out',
      'volume-detach: at most 10.0 s, its end was not seen',
    ]);
  });

  test('has a phase twice that the deletion has gone back to', () => {
    const again = [...history, entry(12, 'volume-detach', 'acted', 'r'), entry(13, 'drain', 'acted', 'r')];
    const found = timelineOf({ deletionTimestamp: iso(0), history: again, pods: [], now: at(14) });
    expect(found?.stays.map(({ phase }) => phase)).toEqual(['pre-drain', 'drain', 'volume-detach', 'drain']);
  });

  test('is none for a Machine that lives', () => {
    expect(timelineOf({ history: [], pods: [], now: at(0) })).toBeUndefined();
  });
});

describe('the picture of a timeline', () => {
  const timeline = timelineOf({ deletionTimestamp: iso(0), checkpoint, history, pods: [pod], now: at(20) })!;

  test('has a row for each phase and each Pod, and places in percents', () => {
    const { rows, ticks } = layOut(timeline);
    expect(
      rows.map(({ kind, label, bars, dots }) => [
        kind,
        label,
        bars.map(({ from, width }) => [from, width]),
        dots.map((dot) => dot.at),
      ]),
    ).toEqual([
      ['phase', 'pre-drain', [[0, 10]], [5]],
      ['phase', 'drain', [[10, 40]], [20]],
      ['phase', 'volume-detach', [[50, 50]], []],
      ['pod', 'shop/web-1', [[20, 20]], [20, 40]],
    ]);
    expect(ticks).toEqual([
      { at: 0, label: '0 s' },
      { at: 25, label: '5 s' },
      { at: 50, label: '10 s' },
      { at: 75, label: '15 s' },
      { at: 100, label: '20 s' },
    ]);
  });

  test('has rows for ten Pods, and for those that were refused before all others', () => {
    const quick = (name: string): PodRecord => ({
      ...pod,
      podUid: name,
      name,
      refusals: {},
      firstAttempt: at(3),
      lastAttempt: at(3),
    });
    const pods = [...Array.from({ length: 12 }, (_, index) => quick(`quick-${index}`)), pod];
    const many = timelineOf({ deletionTimestamp: iso(0), checkpoint, history, pods, now: at(20) })!;
    const { rows, morePods } = layOut(many);
    const labels = rows.filter(({ kind }) => kind === 'pod').map(({ label }) => label);
    expect({ count: labels.length, last: labels.at(-1), morePods }).toEqual({
      count: 10,
      last: 'shop/web-1',
      morePods: 3,
    });
  });

  test('grows while the deletion lasts', () => {
    expect(layOut(timeline, at(40)).rows[0]?.bars[0]).toMatchObject({ from: 0, width: 5 });
  });

  test('says in words what its bars and dots are', () => {
    const { rows } = layOut(timeline);
    expect(rows[1]?.bars[0]?.title).toBe('drain: 8.0 s, passed: timed-out');
    expect(rows[2]?.bars[0]?.title).toBe('volume-detach: 10.0 s, until now');
    expect(rows[3]?.dots.map(({ kind, title }) => [kind, title])).toEqual([
      ['refused', 'refused 2 times: no room'],
      ['evicted', 'evicted'],
    ]);
  });
});
