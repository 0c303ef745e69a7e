import { expect, test } from 'vitest';
import { deadLetterPath } from '../../../infra/serverless/dead-letter-path.ts';
import type { Selection } from '../../../infra/serverless/model.ts';

const exact = (attributes: Record<string, string>) => ({ exact: attributes });

test.each<[string, Selection, string]>([
  ['by attributes', { filter: { attributes: { type: 't', source: '/a b' } } }, '?type=t&source=%2Fa+b'],
  ['by their presence', { filter: { attributes: { type: '' } } }, '?type='],
  ['that takes everything', {}, ''],
  ['by exact values', { filters: [exact({ type: 't' }), exact({ phase: 'p' })] }, '?type=t&phase=p'],
  ['by all of several filters', { filters: [{ all: [exact({ a: '1' }), exact({ b: '2' })] }] }, '?a=1&b=2'],
  ['by one of several values', { filters: [{ any: [exact({ a: '1' }), exact({ a: '2' })] }] }, '?a=1&a=2'],
  ['by one of several attributes', { filters: [{ any: [exact({ a: '1' }), exact({ b: '2' })] }] }, ''],
  ['by one of several groups', { filters: [{ any: [exact({ a: '1', b: '2' }), exact({ a: '2' })] }] }, ''],
  ['by one of none', { filters: [{ any: [exact({ a: '1' }), exact({})] }] }, ''],
  [
    'in other dialects',
    { filters: [{ prefix: { a: 'b' } }, { not: exact({ a: 'c' }) }, { cesql: 'TRUE' }] },
    '',
  ],
  [
    'by filters, which win over attributes',
    { filter: { attributes: { type: 't' } }, filters: [exact({ type: 'u' })] },
    '?type=u',
  ],
  [
    'by attributes alone, where filters are empty',
    { filter: { attributes: { type: 't' } }, filters: [] },
    '?type=t',
  ],
])('the dead letters of a Trigger %s go where its address says so', (_what, selection, query) => {
  expect(deadLetterPath({ service: 's', path: '/dead-letter' }, selection)).toBe(`/dead-letter${query}`);
});
