import { describe, expect, test } from 'vitest';
import { type Checkpoint, parseCheckpoint, serializeCheckpoint } from '../../../shared/machine/checkpoint.ts';
import { phases } from '../../../shared/machine/phase.ts';

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

/** As versions up to this one have written them. What stands here is only added to: Machines may carry it for weeks. */
const beforeToday: [what: string, written: string][] = [
  [
    'before the drain, with what did not apply',
    '{"v":1,"uid":"uid-1","seq":0,"phase":"pre-drain","since":"2026-01-01T12:00:00.000Z","passed":{}}',
  ],
  [
    'in a drain that another controller had begun, with whole seconds',
    '{"v":1,"uid":"uid-1","seq":0,"phase":"drain","since":"2026-01-01T12:00:00Z","passed":{}}',
  ],
  [
    'waiting for volumes',
    '{"v":1,"uid":"uid-1","seq":1,"phase":"volume-detach","since":"2026-01-01T12:00:10.000Z","passed":{"drain":{"as":"done","since":"2026-01-01T12:00:00.000Z"}},"node":"node-uid-1"}',
  ],
  [
    'waiting for volumes, which nobody had tried for long',
    '{"v":1,"uid":"uid-1","seq":1,"phase":"volume-detach","since":"2026-01-01T12:30:10.000Z","passed":{"drain":{"as":"done","since":"2026-01-01T12:00:00.000Z"}},"node":"node-uid-1","reached":"2026-01-01T12:00:10.000Z"}',
  ],
  [
    'handed over to the controller of the API',
    '{"v":1,"uid":"uid-1","seq":3,"phase":"hand-over","since":"2026-01-01T12:00:30.000Z","passed":{"drain":{"as":"done","since":"2026-01-01T12:00:00.000Z"}},"node":"node-uid-1","released":"2026-01-01T12:00:31.000Z"}',
  ],
  [
    'at a hook, after a drain that ran out of time and volumes that are not waited for',
    '{"v":1,"uid":"uid-1","seq":3,"phase":"pre-terminate","since":"2026-01-01T12:00:30.000Z","passed":{"drain":{"as":"timed-out","since":"2026-01-01T12:00:00.000Z"},"volume-detach":{"as":"excluded","since":"2026-01-01T12:00:30.000Z"}},"node":"node-uid-1"}',
  ],
  [
    'waiting for the server of a Machine whose Node is left alone',
    '{"v":1,"uid":"uid-1","seq":0,"phase":"infrastructure","since":"2026-01-01T12:00:00.000Z","passed":{"pre-drain":{"as":"not-applicable","since":"2026-01-01T12:00:00.000Z"},"drain":{"as":"not-applicable","since":"2026-01-01T12:00:00.000Z"},"volume-detach":{"as":"not-applicable","since":"2026-01-01T12:00:00.000Z"}}}',
  ],
  [
    'waiting for the bootstrap config',
    '{"v":1,"uid":"uid-1","seq":4,"phase":"bootstrap","since":"2026-01-01T12:01:00.000Z","passed":{"drain":{"as":"excluded","since":"2026-01-01T12:00:00.000Z"},"infrastructure":{"as":"done","since":"2026-01-01T12:00:00.000Z"}}}',
  ],
  [
    'at the Node',
    '{"v":1,"uid":"uid-1","seq":5,"phase":"node","since":"2026-01-01T12:01:01.000Z","passed":{"infrastructure":{"as":"done","since":"2026-01-01T12:00:00.000Z"}},"node":"node-uid-1"}',
  ],
  [
    'at the end',
    '{"v":1,"uid":"uid-1","seq":6,"phase":"finalize","since":"2026-01-01T12:01:02.000Z","passed":{"node":{"as":"timed-out","since":"2026-01-01T12:01:01.000Z"}}}',
  ],
];

describe('a checkpoint of a version before this one is read as it is', () => {
  test.each(beforeToday)('%s', (_what, written) => {
    expect(parseCheckpoint(written, uid)).toEqual({ kind: 'valid', checkpoint: JSON.parse(written) });
  });

  test('in each phase there is', () => {
    const seen = beforeToday.map(([, written]) => /"phase":"([\w-]+)"/.exec(written)?.[1]);
    expect([...new Set(seen)]).toEqual(phases);
  });
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
