import { describe, expect, test } from 'vitest';
import type { Asked } from '../../../shared/hooks/asked.ts';
import { type TurnInput, takeTurn } from '../../../shared/hooks/turn.ts';
import { standingText } from '../../../shared/hooks/words.ts';
import type { HookRecord } from '../../../shared/machine/hook-record.ts';
import { anAsked } from '../../builders/asked.ts';

const begin = Date.parse('2026-01-01T10:00:00.000Z');
const after = (seconds: number): number => begin + seconds * 1_000;
const timeAfter = (seconds: number): string => new Date(after(seconds)).toISOString();

const begun = (parts: Partial<Asked> = {}): Asked => anAsked({ begin: timeAfter(0), ...parts });

const aRecord = (parts: Partial<HookRecord> = {}): HookRecord => ({
  hook: 'uid-of-move-data',
  begin,
  askedAt: after(299),
  ...parts,
});

/** What a turn writes down at `seconds` after its beginning; its hook as it is where it writes nothing. */
function writtenAt(seconds: number, asked: Asked, records: readonly HookRecord[]): Asked | undefined {
  const input: TurnInput = {
    asked: [asked],
    selected: { hooks: [], unclear: [] },
    records,
    hasKey: true,
    bypass: undefined,
    clusterGoes: false,
    now: after(seconds),
    beginning: after(seconds),
  };
  const turn = takeTurn(input);
  return turn.kind === 'save' ? turn.asked[0] : asked;
}

const unanswered = { cause: 'unanswered', text: 'nothing had answered 10 calls by then' };
const refused = { cause: 'answers-503', text: 'the function answers 503' };
const silent = begun({ silentSince: timeAfter(300), silence: unanswered });

describe('why a function is silent is written down with the silence', () => {
  test.each<[what: string, record: Partial<HookRecord>, expected: Asked['silence']]>([
    ['that nothing has answered, and how many calls', {}, unanswered],
    ['as many as came since its last answer', { answer: { state: 'Working', at: after(-1) } }, unanswered],
    ['what the function answers', { givenUp: { at: after(299), status: 503 } }, refused],
    [
      'that nothing comes back where the Broker gives its calls up',
      { givenUp: { at: after(299) } },
      { cause: 'given-up', text: 'the Broker gives its calls up, and nothing comes back' },
    ],
  ])('%s', (_what, record, expected) => {
    expect(writtenAt(300, begun(), [aRecord(record)])).toMatchObject({
      silentSince: timeAfter(300),
      silence: expected,
    });
  });

  test('not before it is silent, whatever the function answers', () => {
    const records = [aRecord({ givenUp: { at: after(290), status: 503 } })];
    expect(writtenAt(299, begun(), records)).not.toHaveProperty('silence');
  });

  test('not what became of a call before its last answer', () => {
    const answer = { state: 'Working', at: after(60) } as const;
    const records = [aRecord({ askedAt: after(359), answer, givenUp: { at: after(30), status: 503 } })];
    const said = { state: 'Working', at: timeAfter(60) } as const;
    expect(writtenAt(360, begun({ said }), records)?.silence).toEqual(unanswered);
  });
});

describe('once it is written down', () => {
  test('it stays as it is while nothing else is known, however many calls come', () => {
    expect(writtenAt(3_600, silent, [aRecord({ askedAt: after(3_599) })])).toBe(silent);
  });

  test('it is another one where the function begins to answer something else', () => {
    const records = [aRecord({ askedAt: after(599), givenUp: { at: after(599), status: 503 } })];
    expect(writtenAt(600, silent, records)).toMatchObject({ silentSince: timeAfter(300), silence: refused });
  });

  test('it stays where the record is lost', () => {
    const called = timeAfter(599);
    const known = begun({ silentSince: timeAfter(300), silence: refused, called });
    expect(writtenAt(600, known, [])?.silence).toEqual(refused);
  });

  test('it goes with the silence, once the function answers', () => {
    const records = [aRecord({ askedAt: after(599), answer: { state: 'Working', at: after(600) } })];
    const heard = writtenAt(601, silent, records);
    expect(heard).toMatchObject({ said: { state: 'Working' } });
    expect(heard).not.toHaveProperty('silentSince');
    expect(heard).not.toHaveProperty('silence');
  });
});

test('all who tell of it say why, with contact and runbook', () => {
  const asked = begun({ contact: '#storage', runbook: 'https://runbooks.example/osd' });
  const standing = { asked, attempt: 10, silentSince: after(300), because: 'the function answers 503' };
  expect(standingText(standing)).toBe(
    'Waiting for DeletionHook move-data: no answer yet (silent since 2026-01-01T10:05:00Z: the function answers 503; contact #storage; https://runbooks.example/osd)',
  );
});
