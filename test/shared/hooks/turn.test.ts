import { describe, expect, test } from 'vitest';
import type { Asked } from '../../../shared/hooks/asked.ts';
import { selectHooks } from '../../../shared/hooks/deletion-hook.ts';
import { type TurnInput, takeTurn } from '../../../shared/hooks/turn.ts';
import type { HeardAnswer, HookRecord } from '../../../shared/machine/hook-record.ts';
import { aDeletionHook, anAsked } from '../../builders/asked.ts';

const begin = Date.parse('2026-01-01T10:00:00.000Z');
const after = (seconds: number): number => begin + seconds * 1_000;
const timeAfter = (seconds: number): string => new Date(after(seconds)).toISOString();

const begun = (parts: Partial<Asked> = {}): Asked => anAsked({ begin: timeAfter(0), ...parts });

/** Asked at `asked` seconds, and heard of at `heard`. */
function aRecord(asked: number, heard?: number, answer: Partial<HeardAnswer> = {}): HookRecord {
  const said =
    heard === undefined ? {} : { answer: { state: 'Working', at: after(heard), ...answer } as const };
  return { hook: 'uid-of-move-data', begin, askedAt: after(asked), ...said };
}

/** With the words of the record written down. */
const toldOf = ({ answer }: HookRecord): Asked =>
  begun(answer && { said: { state: answer.state, at: new Date(answer.at).toISOString() } });

/** An answer alone: another instance has asked. */
const answered = (at: number): HookRecord => ({
  hook: 'uid-of-move-data',
  begin,
  answer: { state: 'Working', at: after(at) },
});

const none = { hooks: [], unclear: [] };
const unanswered = { cause: 'unanswered', text: 'nothing had answered 10 calls by then' };

/** At `seconds` after the beginning of the turn. */
const turnAt = (seconds: number, parts: Partial<TurnInput> = {}) =>
  takeTurn({
    asked: [begun()],
    selected: none,
    records: [],
    hasKey: true,
    bypass: undefined,
    clusterGoes: false,
    now: after(seconds),
    beginning: after(seconds),
    ...parts,
  });

const workers = { labels: {}, clusterLabels: {}, isControlPlane: false };
const selected = (...specs: object[]) =>
  selectHooks(
    specs.map((spec, index) => aDeletionHook(`hook-${index}`, spec)),
    'PreDrain',
    workers,
  );

describe('a place that is reached', () => {
  test('asks nothing where no DeletionHook is for the Machine', () => {
    expect(turnAt(0, { asked: undefined })).toEqual({ kind: 'none' });
  });

  test('is written down with all that are asked, and the lowest order begins', () => {
    const turn = turnAt(0, {
      asked: undefined,
      selected: selected({ order: 5 }, { order: -1 }, { order: -1 }),
    });
    expect(turn).toMatchObject({
      kind: 'save',
      asked: [
        { name: 'hook-1', order: -1, begin: '2026-01-01T10:00:00.000Z' },
        { name: 'hook-2', order: -1, begin: '2026-01-01T10:00:00.000Z' },
        { name: 'hook-0', order: 5 },
      ],
      ended: [],
    });
    expect(turn.kind === 'save' && turn.asked[2]).not.toHaveProperty('begin');
  });

  test('holds where a selector is invalid, and says which', () => {
    const machines = [{ selector: { matchExpressions: [{ key: 'x', operator: 'Nope' }] } }];
    const turn = turnAt(0, { asked: undefined, selected: selected({ machines }, {}) });
    expect(turn.kind).toBe('held');
    expect(turn.kind === 'held' && turn.why).toMatch(/^invalid selectors in DeletionHook hook-0: /);
  });

  test('holds without a key, before any turn begins', () => {
    expect(turnAt(0, { asked: undefined, selected: selected({}), hasKey: false })).toEqual({
      kind: 'held',
      why: 'there is no key for their tokens: PHASEOUT_HOOK_KEY names the Secret that should have it',
      hooks: ['hook-0'],
    });
  });

  test('is passed over where the Machine API passes it, and that is written down', () => {
    const bypass = 'cluster is being deleted';
    expect(turnAt(0, { asked: undefined, selected: selected({}), bypass, hasKey: false })).toMatchObject({
      kind: 'save',
      asked: [{ end: { as: 'Bypassed', at: '2026-01-01T10:00:00.000Z', why: bypass } }],
      ended: [{ name: 'hook-0', as: 'Bypassed', why: bypass }],
    });
  });
});

describe('the call', () => {
  test.each<[when: string, at: number, records: HookRecord[], attempt: number | undefined]>([
    ['at once', 0, [], 1],
    ['not twice in a slot', 29, [aRecord(0)], undefined],
    ['again with the next slot', 30, [aRecord(0)], 2],
    ['with the slot, however late the last one was', 60, [aRecord(59)], 3],
    ['not in the rest of a late slot', 89, [aRecord(62)], undefined],
    ['again where the store has forgotten it, as the same call', 29, [], 1],
    ['not as the reply to an answer, where the call was forgotten', 5, [answered(5)], undefined],
    [
      'not before the time that the function has asked for',
      89,
      [aRecord(0, 1, { retryAfterSeconds: 90 })],
      undefined,
    ],
    ['at that time', 91, [aRecord(0, 1, { retryAfterSeconds: 90 })], 4],
    ['not for a record of another turn', 29, [{ ...aRecord(0), begin: begin - 1 }], 1],
    ['again after Failed, with the next slot', 30, [aRecord(0, 1, { state: 'Failed' })], 2],
  ])('comes %s', (_when, at, records, attempt) => {
    const turn = turnAt(at, { asked: records.map(toldOf).concat(begun()).slice(0, 1), records });
    expect(turn.kind === 'call' ? turn.calls[0]?.attempt : undefined).toBe(attempt);
  });

  test('names the end of the time limit, moved by the time in which nothing could be asked', () => {
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Hold', stoppedSeconds: 60 })];
    expect(turnAt(0, { asked })).toMatchObject({ kind: 'call', calls: [{ deadline: after(660) }] });
  });
});

describe('a turn ends', () => {
  const done = aRecord(0, 5, { state: 'Done', message: 'all moved' });

  test('with Done of the present turn', () => {
    expect(turnAt(5, { records: [done] })).toMatchObject({
      kind: 'save',
      ended: [{ name: 'move-data', as: 'Done', why: 'all moved' }],
    });
  });

  test.each<[what: string, asked: Asked, record: HookRecord]>([
    ['Done of another turn', begun(), { ...done, begin: begin - 60_000 }],
    ['Done of another DeletionHook', begun(), { ...done, hook: 'uid-of-another' }],
    ['Done before its turn has begun', anAsked(), done],
    ['Working', begun(), aRecord(0, 5, { state: 'Working' })],
    ['Failed', begun(), aRecord(0, 5, { state: 'Failed' })],
  ])('not with %s', (_what, asked, record) => {
    const turn = turnAt(5, { asked: [asked], records: [record] });
    expect(turn.kind).not.toBe('pass');
    expect(turn.kind === 'save' ? turn.ended : []).toEqual([]);
  });

  test('and the next order begins in the same write', () => {
    const asked = [begun(), anAsked({ name: 'wipe', uid: 'uid-of-wipe', order: 10 })];
    expect(turnAt(5, { asked, records: [done] })).toMatchObject({
      kind: 'save',
      asked: [{ end: { as: 'Done' } }, { name: 'wipe', begin: timeAfter(5) }],
    });
  });

  test('but not while another one of its order is asked', () => {
    const asked = [
      begun(),
      begun({ name: 'also', uid: 'uid-of-also' }),
      anAsked({ name: 'wipe', uid: 'uid-of-wipe', order: 10 }),
    ];
    const turn = turnAt(5, { asked, records: [done] });
    expect(turn.kind === 'save' && turn.asked[2]).not.toHaveProperty('begin');
  });

  test('with its time limit, where that was decided in advance', () => {
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Proceed' })];
    expect(turnAt(600, { asked, records: [aRecord(570, 571)] })).toMatchObject({
      kind: 'save',
      ended: [{ as: 'Proceeded', why: 'its timeout of 600 s is over, and onTimeout is Proceed' }],
    });
  });

  test('not with a time limit that holds', () => {
    const asked = [
      begun({ timeoutSeconds: 600, onTimeout: 'Hold', said: { state: 'Working', at: timeAfter(571) } }),
    ];
    expect(turnAt(601, { asked, records: [aRecord(600, 571)] })).toMatchObject({
      kind: 'wait',
      standing: [{ overSince: after(600) }],
    });
  });

  test('not before its last call has had time for an answer', () => {
    const asked = [begun({ timeoutSeconds: 595, onTimeout: 'Proceed' })];
    const records = [aRecord(594)];
    const silent = {
      asked: asked.map((each) => ({ ...each, silentSince: timeAfter(300), silence: unanswered })),
      records,
    };
    expect(turnAt(596, silent)).toMatchObject({ kind: 'wait', look: after(624) });
    expect(turnAt(624, silent)).toMatchObject({ kind: 'save', ended: [{ as: 'Proceeded' }] });
  });

  test('not with its time limit, before a call whose record is there', () => {
    const said = { state: 'Working', at: timeAfter(571) } as const;
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Proceed', said })];
    expect(turnAt(600, { asked })).toMatchObject({
      kind: 'save',
      ended: [],
      asked: [{ called: timeAfter(600) }],
    });
    // The Machine says so right before the call: it is still to be made.
    const told = { asked: asked.map((each) => ({ ...each, called: timeAfter(600) })) };
    expect(turnAt(600, told)).toMatchObject({ kind: 'call', calls: [{ attempt: 21 }] });
    expect(turnAt(629, told).kind).toBe('call');
    expect(turnAt(629, { asked, records: [aRecord(600)] }).kind).toBe('wait');
    expect(turnAt(630, { asked, records: [aRecord(600)] })).toMatchObject({
      kind: 'save',
      ended: [{ as: 'Proceeded' }],
    });
  });

  test('with the deletion of its Cluster, unless it says Hold', () => {
    expect(turnAt(5, { clusterGoes: true })).toMatchObject({ kind: 'save', ended: [{ as: 'Bypassed' }] });
    const asked = [begun({ onClusterDeletion: 'Hold' })];
    expect(turnAt(5, { asked, clusterGoes: true }).kind).toBe('call');
  });

  test('where a person has passed it, and that is recorded once', () => {
    const end = { as: 'Passed', at: timeAfter(5), by: 'kim', why: 'the disk is lost' } as const;
    expect(turnAt(6, { asked: [begun({ end })] })).toMatchObject({
      kind: 'save',
      asked: [{ end: { ...end, isRecorded: true } }],
      ended: [{ as: 'Passed', why: 'by kim: the disk is lost' }],
    });
    expect(turnAt(6, { asked: [begun({ end: { ...end, isRecorded: true } })] }).kind).toBe('pass');
  });

  test('and the place is passed when all have', () => {
    const end = { as: 'Done', at: timeAfter(5), why: 'all moved' } as const;
    const asked = [begun({ end })];
    expect(turnAt(60, { asked })).toEqual({ kind: 'pass', asked });
  });
});

describe('time in which nothing could be asked', () => {
  test('is no part of a time limit', () => {
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Proceed' })];
    // The call of 60 was due, and came an hour late: the Machine was paused.
    expect(turnAt(3_660, { asked, records: [aRecord(30, 31)] })).toMatchObject({
      kind: 'save',
      ended: [],
      asked: [{ stoppedSeconds: 3_600, resumed: timeAfter(3_660) }],
    });
  });

  test('is no part of a time limit either where the record of the calls is lost', () => {
    const said = { state: 'Working', at: timeAfter(31) } as const;
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Proceed', said })];
    expect(turnAt(3_660, { asked })).toMatchObject({
      kind: 'save',
      ended: [],
      asked: [{ stoppedSeconds: 3_600, resumed: timeAfter(3_660) }],
    });
  });

  test('is told from a store that keeps nothing: the Machine says when a call was', () => {
    const asked = [begun({ timeoutSeconds: 600, onTimeout: 'Proceed', called: timeAfter(570) })];
    const silent = asked.map((each) => ({ ...each, silentSince: timeAfter(300), silence: unanswered }));
    expect(turnAt(599, { asked: silent })).toMatchObject({ kind: 'call', calls: [{ attempt: 20 }] });
    expect(turnAt(600, { asked: silent })).toMatchObject({ kind: 'save', ended: [{ as: 'Proceeded' }] });
  });

  test('does not make a function silent', () => {
    const said = { state: 'Working', at: timeAfter(31) } as const;
    const asked = [begun({ said, stoppedSeconds: 3_600, resumed: timeAfter(3_660) })];
    expect(turnAt(3_660, { asked, records: [aRecord(30, 31)] })).toMatchObject({ kind: 'call' });
  });
});

describe('words', () => {
  test('are written down when they change', () => {
    const records = [aRecord(0, 5, { message: 'moving 3 volumes' })];
    expect(turnAt(5, { records })).toMatchObject({
      kind: 'save',
      asked: [{ said: { state: 'Working', message: 'moving 3 volumes', at: timeAfter(5) } }],
    });
  });

  test('are not written down again at each sign of life', () => {
    const asked = [begun({ said: { state: 'Working', message: 'moving', at: timeAfter(5) } })];
    expect(turnAt(45, { asked, records: [aRecord(30, 35, { message: 'moving' })] }).kind).toBe('wait');
  });

  test('of a store that has forgotten newer ones do not count', () => {
    const asked = [begun({ said: { state: 'Failed', message: 'disk busy', at: timeAfter(35) } })];
    expect(turnAt(45, { asked, records: [aRecord(30, 5, { message: 'moving' })] }).kind).toBe('wait');
  });
});

describe('silence', () => {
  test.each<[from: string, at: number, record: HookRecord, isSilent: boolean]>([
    ['from the beginning of the turn', 300, aRecord(299), true],
    ['not before', 299, aRecord(298), false],
    ['from the last answer', 335, aRecord(330, 35, { state: 'Working' }), true],
    ['and the time that it has asked for', 335, aRecord(330, 35, { retryAfterSeconds: 60 }), false],
  ])('counts %s', (_from, at, record, isSilent) => {
    const said = record.answer && {
      state: record.answer.state,
      at: new Date(record.answer.at).toISOString(),
    };
    const turn = turnAt(at, { asked: [begun(said && { said })], records: [record] });
    expect(turn.kind === 'save' && turn.asked[0]?.silentSince).toBe(isSilent ? timeAfter(at) : false);
  });

  test('ends with an answer', () => {
    const said = { state: 'Working', at: timeAfter(5) } as const;
    const asked = [begun({ said, silentSince: timeAfter(305) })];
    const turn = turnAt(400, { asked, records: [aRecord(390, 395)] });
    expect(turn.kind === 'save' && turn.asked[0]).not.toHaveProperty('silentSince');
  });
});

test('a turn that a clock ahead has begun begins now', () => {
  const asked = [anAsked({ begin: timeAfter(3_600) })];
  expect(turnAt(0, { asked })).toMatchObject({ kind: 'save', asked: [{ begin: timeAfter(0) }] });
});

test.each<[what: string, parts: Partial<TurnInput>]>([
  ['a call', { records: [aRecord(3_600)] }],
  ['an answer', { records: [aRecord(0, 3_600)] }],
  ['words', { asked: [begun({ said: { state: 'Working', at: timeAfter(3_600) } })] }],
  ['a call that it tells of', { asked: [begun({ called: timeAfter(3_600) })] }],
  ['the end of a pause', { asked: [begun({ stoppedSeconds: 60, resumed: timeAfter(3_600) })] }],
])('a turn of which a clock ahead has dated %s begins again', (_what, parts) => {
  expect(turnAt(40, parts)).toMatchObject({ kind: 'save', asked: [{ begin: timeAfter(40) }], ended: [] });
});

test('a turn that begins where it began is not written once more: a clock behind waits', () => {
  const turn = turnAt(-90, { beginning: after(0), records: [aRecord(60)] });
  expect(turn.kind).toBe('wait');
});

test('Done ends its turn, although a clock ahead has dated it', () => {
  const records = [aRecord(0, 3_600, { state: 'Done' })];
  expect(turnAt(40, { records })).toMatchObject({ kind: 'save', ended: [{ as: 'Done' }] });
});

test('a turn that begins again knows nothing of what that clock has dated', () => {
  const ahead = { begin: timeAfter(3_600), called: timeAfter(3_600), resumed: timeAfter(3_600) };
  const said = { state: 'Failed', at: timeAfter(3_601) } as const;
  const asked = [anAsked({ ...ahead, said, stoppedSeconds: 61, silentSince: timeAfter(3_605) })];
  const turn = turnAt(0, { asked });
  expect(turn.kind === 'save' && turn.asked).toEqual([begun()]);
});
