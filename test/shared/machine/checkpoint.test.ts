import { describe, expect, test } from 'vitest';
import { type Checkpoint, parseCheckpoint, serializeCheckpoint } from '../../../shared/machine/checkpoint.ts';

const uid = 'uid-1';
const full: Checkpoint = {
  v: 1,
  uid,
  seq: 4,
  phase: 'pre-terminate',
  since: '2026-01-01T12:00:30.250Z',
  passed: {
    'pre-drain': { as: 'done', since: '2026-01-01T12:00:00Z' },
    drain: { as: 'timed-out', since: '2026-01-01T12:00:01.000Z' },
    'volume-detach': { as: 'excluded', since: '2026-01-01T12:00:30.250Z' },
  },
  node: 'node-uid-1',
};
const text = (changes: Record<string, unknown>): string => JSON.stringify({ ...full, ...changes });

test('what was written is read back', () => {
  expect(parseCheckpoint(serializeCheckpoint(full), uid)).toEqual({ kind: 'valid', checkpoint: full });
});

test('the written form does not change: other versions have to read it', () => {
  expect(serializeCheckpoint(full)).toBe(
    '{"v":1,"uid":"uid-1","seq":4,"phase":"pre-terminate","since":"2026-01-01T12:00:30.250Z","passed":{' +
      '"pre-drain":{"as":"done","since":"2026-01-01T12:00:00Z"},' +
      '"drain":{"as":"timed-out","since":"2026-01-01T12:00:01.000Z"},' +
      '"volume-detach":{"as":"excluded","since":"2026-01-01T12:00:30.250Z"}},"node":"node-uid-1"}',
  );
});

test('no annotation is no checkpoint', () => {
  expect(parseCheckpoint(undefined, uid)).toEqual({ kind: 'none' });
});

test('a checkpoint may leave out what was passed and the Node', () => {
  expect(
    parseCheckpoint('{"v":1,"uid":"uid-1","seq":0,"phase":"drain","since":"2026-01-01T12:00:00Z"}', uid),
  ).toEqual({
    kind: 'valid',
    checkpoint: { v: 1, uid, seq: 0, phase: 'drain', since: '2026-01-01T12:00:00Z', passed: {} },
  });
});

describe('a checkpoint cannot be used when', () => {
  test.each<[what: string, text: string, why: RegExp]>([
    ['it is empty', '', /^it is not JSON$/],
    ['it was cut off', '{"v":1,"uid":"uid', /^it is not JSON$/],
    ['it is no object', 'null', /^it: /],
    ['it is a list', '[]', /^it: /],
    ['its version is unknown', text({ v: 2 }), /^v: /],
    ['its version is a text', text({ v: '1' }), /^v: /],
    ['it has a field this version does not know', text({ later: true }), /^it: .*later/],
    ['its phase is unknown', text({ phase: 'draining' }), /^phase: /],
    ['its time is none', text({ since: 'yesterday' }), /^since: /],
    ['its time has an offset', text({ since: '2026-01-01T12:00:00+02:00' }), /^since: /],
    ['it counts backwards', text({ seq: -1 }), /^seq: /],
    ['it counts in fractions', text({ seq: 1.5 }), /^seq: /],
    ['its UID is empty', text({ uid: '' }), /^uid: /],
    ['an unknown phase was passed', text({ passed: { other: full.passed.drain } }), /^passed/],
    [
      'a phase was passed in an unknown way',
      text({ passed: { drain: { as: 'skipped', since: full.since } } }),
      /^passed\.drain\.as: /,
    ],
    ['its Node has no UID', text({ node: '' }), /^node: /],
    [
      'it was copied from another Machine',
      text({ uid: 'uid-2' }),
      /^it was written for a Machine with UID uid-2$/,
    ],
  ])('%s', (_what, annotation, why) => {
    expect(parseCheckpoint(annotation, uid)).toEqual({ kind: 'unusable', why: expect.stringMatching(why) });
  });
});
