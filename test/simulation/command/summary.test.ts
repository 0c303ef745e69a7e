import { describe, expect, it } from 'vitest';
import { addCoverage, noCoverage } from '../coverage.ts';
import { coverageTable, duration, effectsTable, short } from './summary.ts';

describe('the summary', () => {
  it('shows how often each fault struck in each phase, and where it never did', () => {
    const coverage = noCoverage();
    addCoverage(coverage, { hits: { crash: { drain: 3, between: 1 } }, effects: {} });
    addCoverage(coverage, { hits: { crash: { drain: 1_500 } }, effects: {} });
    const table = coverageTable(coverage, ['crash', 'lost']);
    expect(table.split('\n').map((line) => line.trim().split(/ +/))).toStrictEqual([
      'fault pre-drain drain volume-detach hand-over pre-terminate infrastructure bootstrap node finalize between'.split(
        ' ',
      ),
      'crash - 1,503 - - - - - - - 1'.split(' '),
      'lost - - - - - - - - - -'.split(' '),
    ]);
  });

  it('shows what was done, what was done most first', () => {
    const coverage = noCoverage();
    addCoverage(coverage, { hits: {}, effects: { 'delete nodes': 2, 'create pods/eviction': 7 } });
    expect(effectsTable(coverage)).toBe('        7  create pods/eviction\n        2  delete nodes');
  });

  it.each([
    { count: 7, text: '7' },
    { count: 12_345, text: '12,345' },
    { count: 12_345_678, text: '12.3M' },
  ])('says $text for $count', ({ count, text }) => {
    expect(short(count)).toBe(text);
  });

  it.each([
    { seconds: 90, text: '90 s' },
    { seconds: 600, text: '10 min' },
    { seconds: 12_000, text: '3 h 20 min' },
    { seconds: 86_400_000, text: '1,000 days' },
  ])('says $text for $seconds seconds', ({ seconds, text }) => {
    expect(duration(seconds)).toBe(text);
  });
});
