import { describe, expect, test } from 'vitest';
import {
  conditionsFrom,
  setV1Beta1,
  setV1Beta2,
  sortedV1Beta1,
  sortedV1Beta2,
} from '../../../shared/dialects/conditions.ts';
import type { Condition } from '../../../shared/kubernetes/objects.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';

const at = { generation: 3, now: after(10) };
const time = (lastTransitionTime: string) => ({ lastTransitionTime });

describe('a v1beta2 condition', () => {
  const before: Condition = {
    type: 'A',
    status: 'True',
    reason: 'R',
    message: 'm',
    observedGeneration: 1,
    ...time(timeAfter(0)),
  };

  test.each([
    ['that is new gets the time it is said', [], {}, time(timeAfter(10))],
    ['that is new keeps the time it is copied with', [], time(timeAfter(5)), time(timeAfter(5))],
    [
      'keeps its time while its status stays',
      [before],
      { reason: 'other', message: 'n' },
      time(timeAfter(0)),
    ],
    ['keeps its time even against a copy', [before], time(timeAfter(5)), time(timeAfter(0))],
    ['gets a new time with its status', [before], { status: 'False' as const }, time(timeAfter(10))],
    [
      'gets the time of the copy with its status',
      [before],
      { status: 'False' as const, ...time(timeAfter(5)) },
      time(timeAfter(5)),
    ],
  ])('%s', (_what, list, saying, expected) => {
    const said = setV1Beta2(list, { type: 'A', status: 'True', reason: 'R', ...saying }, at);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ ...expected, observedGeneration: 3 });
  });

  test('always has a reason and a message', () => {
    expect(setV1Beta2([], { type: 'A', status: 'True' }, at)).toEqual([
      { type: 'A', status: 'True', reason: '', message: '', observedGeneration: 3, ...time(timeAfter(10)) },
    ]);
  });
});

describe('a v1beta1 condition', () => {
  const before: Condition = {
    type: 'A',
    status: 'False',
    reason: 'R',
    severity: 'Info',
    message: 'm',
    ...time(timeAfter(0)),
  };
  const same = { type: 'A', status: 'False' as const, reason: 'R', severity: 'Info', message: 'm' };

  test.each([
    ['that says the same', {}, timeAfter(0)],
    ['that says the same as a later copy', time(timeAfter(5)), timeAfter(0)],
    ['with another status', { status: 'True' as const }, timeAfter(10)],
    ['with another reason', { reason: 'S' }, timeAfter(10)],
    ['with another severity', { severity: 'Warning' }, timeAfter(10)],
    ['with another message', { message: 'n' }, timeAfter(10)],
    ['with another message, copied', { message: 'n', ...time(timeAfter(5)) }, timeAfter(10)],
  ])('%s has its time', (_what, change, expected) => {
    expect(setV1Beta1([before], { ...same, ...change }, after(10))).toMatchObject([time(expected)]);
  });

  test('that has an empty message says the same as one without', () => {
    const list = [{ ...before, message: '' }];
    expect(setV1Beta1(list, { ...same, message: '' }, after(10))).toBe(list);
  });

  test('has only the fields that say something', () => {
    const saying = { type: 'A', status: 'True' as const, reason: '', severity: '', message: '' };
    expect(setV1Beta1([], saying, after(10))).toEqual([
      { type: 'A', status: 'True', ...time(timeAfter(10)) },
    ]);
  });

  test('that is new keeps the time it is copied with', () => {
    expect(setV1Beta1([], { ...same, ...time(timeAfter(5)) }, after(10))).toMatchObject([time(timeAfter(5))]);
  });
});

const failing = (message: string, change: Partial<Condition> = {}) => ({
  type: 'A',
  status: 'False' as const,
  reason: 'R',
  severity: 'Warning',
  message,
  ...change,
});
const reset = (port: number) => `read tcp 10.0.0.5:${port}->10.96.4.4:443: connection reset by peer`;

describe('a condition whose message is an error', () => {
  const stands = [{ ...failing(reset(51_234)), ...time(timeAfter(0)) }];

  test.each<[string, Partial<Condition>, boolean, message: string, since: string]>([
    ['stays as it is with other numbers', {}, true, reset(51_234), timeAfter(0)],
    ['says another error', { message: 'refused' }, true, 'refused', timeAfter(10)],
    ['says it for another reason', { reason: 'S' }, true, reset(60_000), timeAfter(10)],
    ['says it of another status', { status: 'Unknown' }, true, reset(60_000), timeAfter(10)],
    ['says other numbers where they are no error', {}, false, reset(60_000), timeAfter(10)],
  ])('%s', (_what, change, isError, message, since) => {
    const saying = { ...failing(reset(60_000), change), ...(isError && { isError }) };
    expect(setV1Beta1(stands, saying, after(10))).toEqual([
      { ...failing(reset(60_000), change), message, ...time(since) },
    ]);
    const { severity: _, ...bare } = failing(reset(51_234));
    expect(setV1Beta2([bare], { ...saying, severity: '' }, at)).toMatchObject([{ message }]);
  });

  test('is no error where nothing stands yet', () => {
    const saying = { ...failing(reset(51_234)), isError: true };
    expect(setV1Beta1([], saying, after(10))).toMatchObject([{ message: reset(51_234) }]);
    expect(setV1Beta2([{ ...saying, message: '' }], saying, at)).toMatchObject([{ message: reset(51_234) }]);
  });
});

const said = (length: number, unit = 'x') => {
  const saying = { type: 'A', status: 'False' as const, reason: 'R', message: unit.repeat(length) };
  const [v1Beta1] = setV1Beta1([], saying, 0);
  const [v1Beta2] = setV1Beta2([], saying, at);
  return { v1Beta1: v1Beta1?.message ?? '', v1Beta2: v1Beta2?.message ?? '' };
};

describe('a message that the API server would refuse', () => {
  test('is cut', () => {
    const { v1Beta1, v1Beta2 } = said(40_000);
    expect(v1Beta1).toBe(`${'x'.repeat(10_237)}...`);
    expect(v1Beta2).toBe(`${'x'.repeat(32_765)}...`);
  });

  test('is the first that is cut', () => {
    expect(said(10_240).v1Beta1).toBe('x'.repeat(10_240));
    expect(said(10_241).v1Beta1).toHaveLength(10_240);
    expect(said(32_768).v1Beta2).toBe('x'.repeat(32_768));
    expect(said(32_769).v1Beta2).toHaveLength(32_768);
  });

  test('is counted in characters, none of which is cut in half', () => {
    expect(said(10_240, '\u{1f600}').v1Beta1).toBe('\u{1f600}'.repeat(10_240));
    expect(said(10_241, '\u{1f600}').v1Beta1).toBe(`${'\u{1f600}'.repeat(10_237)}...`);
  });
});

const of = (...types: string[]): Condition[] => types.map((type) => ({ type, status: 'True' }));

describe('conditions are kept in order', () => {
  test('of v1beta2', () => {
    const list = of(
      'Deleting',
      'Zebra',
      'Paused',
      'Updating',
      'HealthCheckSucceeded',
      'Apple',
      'NodeReady',
    ).concat(
      of('NodeHealthy', 'InfrastructureReady', 'BootstrapConfigReady', 'UpToDate', 'Ready', 'Available'),
    );
    expect(sortedV1Beta2(list).map(({ type }) => type)).toEqual([
      'Available',
      'Ready',
      'UpToDate',
      'BootstrapConfigReady',
      'InfrastructureReady',
      'NodeHealthy',
      'NodeReady',
      'HealthCheckSucceeded',
      'Updating',
      'Apple',
      'Zebra',
      'Paused',
      'Deleting',
    ]);
  });

  test('of v1beta1', () => {
    const list = of('NodeHealthy', 'VolumeDetachSucceeded', 'Ready', 'BootstrapReady');
    expect(sortedV1Beta1(list).map(({ type }) => type)).toEqual([
      'Ready',
      'BootstrapReady',
      'NodeHealthy',
      'VolumeDetachSucceeded',
    ]);
  });
});

test.each([[undefined], [null], ['text'], [{}], [[null, 'text', {}, { type: 1 }]]])(
  'no conditions are read from %j',
  (value) => {
    expect(conditionsFrom(value)).toEqual([]);
  },
);
