import { describe, expect, test } from 'vitest';
import { traceContext, traceId, traceOf } from '../../../shared/machine/trace-context.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';
const context = `00-${trace}-${span}-01`;

describe('a trace context', () => {
  test.each([
    ['as it is sent', context, context],
    ['that is not sampled', `00-${trace}-${span}-00`, `00-${trace}-${span}-00`],
    ['of a later version, with more behind it', `01-${trace}-${span}-01-more`, context],
    ['of version 00 with more behind it', `${context}-more`, undefined],
    ['of version ff, which is none', `ff-${trace}-${span}-01`, undefined],
    ['without a trace', `00-${'0'.repeat(32)}-${span}-01`, undefined],
    ['without a span', `00-${trace}-${'0'.repeat(16)}-01`, undefined],
    ['in capitals', context.toUpperCase(), undefined],
    ['too short', `00-${trace}-${span}`, undefined],
    ['that is empty', '', undefined],
    ['that is not there', undefined, undefined],
  ])('%s', (_what, text, expected) => {
    expect(traceContext(text)?.traceparent).toBe(expected);
  });

  test('has a state where one came with it', () => {
    expect(traceContext(context, 'vendor=1')).toEqual({ traceparent: context, tracestate: 'vendor=1' });
    expect(traceContext(context, '')).toStrictEqual({ traceparent: context });
    expect(traceContext(context)).toStrictEqual({ traceparent: context });
    expect(traceContext('nonsense', 'vendor=1')).toBeUndefined();
  });
});

test('a trace is found by its name alone', () => {
  expect(traceId({ traceparent: context })).toBe(trace);
});

test("a Machine's annotation names its deletion's trace, if anybody can read it", () => {
  expect(traceOf({ annotations: { 'phaseout.dev/trace': context } })).toEqual({ traceparent: context });
  expect(traceOf({ annotations: { 'phaseout.dev/trace': 'nonsense' } })).toBeUndefined();
  expect(traceOf({ annotations: {} })).toBeUndefined();
});
