import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { PhaseOutcome } from '../../../shared/machine/reason.ts';
import { advanced, firstCheckpoint, retreated, type Transition } from '../../../shared/phase/transitions.ts';

const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);

const draining: Checkpoint = {
  v: 1,
  uid: 'uid-1',
  seq: 3,
  phase: 'drain',
  since: '2026-01-01T12:00:00.000Z',
  passed: {},
};
const aStep = (step: Partial<Transition> = {}): Transition => ({
  as: 'done',
  leg: { phase: 'volume-detach', skipped: [] },
  now: at('12:05:00.500'),
  startTimes: {},
  node: undefined,
  ...step,
});

describe('the first checkpoint', () => {
  test('begins now, at the first phase that applies', () => {
    const leg = { phase: 'drain', skipped: [{ phase: 'pre-drain', as: 'done' }] } as const;
    expect(firstCheckpoint('uid-1', { ...leg, skipped: [...leg.skipped] }, at('12:00:00.125'), {})).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 0,
      phase: 'drain',
      since: '2026-01-01T12:00:00.125Z',
      passed: {},
    });
  });

  test('takes over when somebody began before', () => {
    const startTimes = { drain: '2026-01-01T11:00:00Z', 'volume-detach': '2026-01-01T11:30:00Z' };
    expect(firstCheckpoint('uid-1', { phase: 'drain', skipped: [] }, at('12:00:00'), startTimes)).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 0,
      phase: 'drain',
      since: '2026-01-01T11:00:00Z',
      passed: {},
    });
  });

  test('begins now when only another phase began before: its time may be long over', () => {
    const startTimes = { 'pre-drain': '2026-01-01T09:00:00Z', 'volume-detach': '2026-01-01T11:30:00Z' };
    const { since } = firstCheckpoint(
      'uid-1',
      { phase: 'drain', skipped: [] },
      at('12:00:00.125'),
      startTimes,
    );
    expect(since).toBe('2026-01-01T12:00:00.125Z');
  });

  test('remembers why phases were passed by, except for those that had nothing to do', () => {
    const skipped = [
      { phase: 'pre-drain' as const, as: 'done' as const },
      { phase: 'drain' as const, as: 'excluded' as const },
      { phase: 'volume-detach' as const, as: 'not-applicable' as const },
    ];
    expect(firstCheckpoint('uid-1', { phase: 'infrastructure', skipped }, at('12:00:00'), {}).passed).toEqual(
      {
        drain: { as: 'excluded', since: '2026-01-01T12:00:00.000Z' },
        'volume-detach': { as: 'not-applicable', since: '2026-01-01T12:00:00.000Z' },
      },
    );
  });
});

describe('the checkpoint after a phase', () => {
  test('counts on, begins now and remembers how the phase was passed', () => {
    expect(advanced(draining, aStep({ as: 'timed-out' }))).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 4,
      phase: 'volume-detach',
      since: '2026-01-01T12:05:00.500Z',
      passed: { drain: { as: 'timed-out', since: '2026-01-01T12:00:00.000Z' } },
    });
  });

  test('remembers what was passed by on the way', () => {
    const leg: Transition['leg'] = {
      phase: 'infrastructure',
      skipped: [
        { phase: 'volume-detach', as: 'excluded' },
        { phase: 'pre-terminate', as: 'done' },
      ],
    };
    expect(advanced(draining, aStep({ leg })).passed).toEqual({
      drain: { as: 'done', since: '2026-01-01T12:00:00.000Z' },
      'volume-detach': { as: 'excluded', since: '2026-01-01T12:05:00.500Z' },
    });
  });

  test('keeps the start of a phase that somebody else began, and when it was handed on', () => {
    const startTimes = { 'volume-detach': '2026-01-01T12:02:00Z' };
    expect(advanced(draining, aStep({ startTimes }))).toMatchObject({
      since: '2026-01-01T12:02:00Z',
      reached: '2026-01-01T12:05:00.500Z',
    });
  });

  test('begins now where only another phase began before', () => {
    const startTimes = { drain: '2026-01-01T11:00:00Z', 'pre-terminate': '2026-01-01T11:00:00Z' };
    const checkpoint = advanced(draining, aStep({ startTimes }));
    expect(checkpoint.since).toBe('2026-01-01T12:05:00.500Z');
    expect(checkpoint).not.toHaveProperty('reached');
  });

  test('keeps how a phase was passed before that is passed by now', () => {
    const passed = { 'volume-detach': { as: 'done', since: '2026-01-01T12:01:00.000Z' } } as const;
    const skipped = [{ phase: 'volume-detach' as const, as: 'excluded' as const }];
    const leg: Transition['leg'] = { phase: 'infrastructure', skipped };
    expect(advanced({ ...draining, passed }, aStep({ leg })).passed).toMatchObject(passed);
  });

  test('keeps the first start of a phase that it returns to, whatever the status says', () => {
    const passed = { 'volume-detach': { as: 'done', since: '2026-01-01T12:01:00.000Z' } } as const;
    const startTimes = { 'volume-detach': '2026-01-01T12:02:00Z' };
    const checkpoint = advanced({ ...draining, passed }, aStep({ startTimes }));
    expect(checkpoint.since).toBe('2026-01-01T12:01:00.000Z');
  });

  test('remembers the Node that it is given', () => {
    const known = advanced(draining, aStep({ node: 'node-uid-1' }));
    expect(known.node).toBe('node-uid-1');
    expect(advanced(known, aStep({ node: 'node-uid-2' })).node).toBe('node-uid-2');
    expect(advanced(draining, aStep())).not.toHaveProperty('node');
  });

  test('leaves the earlier one as it was', () => {
    const before = structuredClone(draining);
    advanced(draining, aStep());
    expect(draining).toEqual(before);
  });
});

describe('one step back', () => {
  const detaching: Checkpoint = {
    ...draining,
    seq: 4,
    phase: 'volume-detach',
    since: '2026-01-01T12:05:00.000Z',
    passed: { drain: { as: 'done', since: '2026-01-01T12:00:00.000Z' } },
    node: 'node-uid-1',
  };

  test('counts on, and keeps both starts, so that no timeout begins anew', () => {
    const back = retreated(detaching, 'drain', at('12:06:00'));
    expect(back).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 5,
      phase: 'drain',
      since: '2026-01-01T12:00:00.000Z',
      reached: '2026-01-01T12:06:00.000Z',
      passed: { 'volume-detach': { as: 'done', since: '2026-01-01T12:05:00.000Z' } },
      node: 'node-uid-1',
    });
    expect(advanced(back, aStep({ now: at('12:07:00'), node: 'node-uid-1' }))).toEqual({
      ...detaching,
      seq: 6,
      reached: '2026-01-01T12:07:00.000Z',
      passed: {
        drain: { as: 'done', since: '2026-01-01T12:00:00.000Z' },
        'volume-detach': { as: 'done', since: '2026-01-01T12:05:00.000Z' },
      },
    });
  });

  test('forgets when the phase was reached that it goes back from', () => {
    const late = { ...detaching, reached: '2026-01-01T12:04:00.000Z' };
    expect(retreated(late, 'drain', at('12:06:00'))).toEqual(retreated(detaching, 'drain', at('12:06:00')));
    expect(advanced(late, aStep())).toEqual(advanced(detaching, aStep()));
  });

  test.each<PhaseOutcome>(['excluded', 'not-applicable'])('begins now what was passed over as %s', (as) => {
    const passed = { drain: { as, since: '2026-01-01T12:00:00.000Z' } };
    expect(retreated({ ...detaching, passed }, 'drain', at('12:06:00'))).toMatchObject({
      since: '2026-01-01T12:06:00.000Z',
      passed: { 'volume-detach': { as: 'done' } },
    });
  });

  test.each<PhaseOutcome>(['excluded', 'not-applicable'])(
    'a phase that was passed over as %s begins when it is come to',
    (as) => {
      const passed = { 'volume-detach': { as, since: '2026-01-01T12:00:00.000Z' } };
      const next = advanced({ ...draining, passed }, aStep({ now: at('12:07:00') }));
      expect(next.since).toBe('2026-01-01T12:07:00.000Z');
    },
  );

  test('goes on from the first start of what has timed out', () => {
    const passed = { drain: { as: 'timed-out' as const, since: '2026-01-01T12:00:00.000Z' } };
    const back = retreated({ ...detaching, passed }, 'drain', at('12:06:00'));
    expect(back.since).toBe('2026-01-01T12:00:00.000Z');
  });

  test('keeps nothing of a phase without a time limit that it goes back from', () => {
    const passed = {
      drain: { as: 'done', since: '2026-01-01T12:00:00.000Z' },
      'volume-detach': { as: 'done', since: '2026-01-01T12:05:00.000Z' },
    } as const;
    const deleting: Checkpoint = { ...detaching, phase: 'infrastructure', passed };
    expect(retreated(deleting, 'drain', at('12:06:00')).passed).toEqual({
      'volume-detach': passed['volume-detach'],
    });
    expect(retreated(deleting, 'volume-detach', at('12:06:00'))).toMatchObject({
      since: '2026-01-01T12:05:00.000Z',
      passed: { drain: passed.drain },
    });
  });

  test('begins now where no start is known', () => {
    expect(retreated({ ...detaching, passed: {} }, 'drain', at('12:06:00')).since).toBe(
      '2026-01-01T12:06:00.000Z',
    );
  });
});
