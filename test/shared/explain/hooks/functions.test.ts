import { describe, expect, test } from 'vitest';
import { functionsAsked } from '../../../../shared/explain/hooks/functions.ts';
import { type Asked, hooksAnnotation, serializeAsked } from '../../../../shared/hooks/asked.ts';
import { anAsked } from '../../../builders/asked.ts';
import { after, aMachine, timeAfter } from '../../../builders/cluster-api.ts';

const asking = (hooks: Asked[]) => {
  const machine = aMachine();
  return { ...machine, annotations: { [hooksAnnotation]: serializeAsked(machine.ref.uid, hooks) } };
};
const told = (...hooks: Asked[]) => functionsAsked(asking(hooks), after(100));

describe('the functions that a Machine waits for', () => {
  test('are none where it asks none', () => {
    expect(functionsAsked(aMachine(), after(100))).toEqual([]);
  });

  test('are none of a living Machine, whatever its annotation says', () => {
    const { deletionTimestamp: _, ...living } = asking([anAsked({ begin: timeAfter(10) })]);
    expect(functionsAsked(living, after(100))).toEqual([]);
  });

  test('are told with their words, who can help, and what comes after their time', () => {
    const hook = anAsked({
      begin: timeAfter(10),
      said: { state: 'Working', message: 'two of nine', at: timeAfter(40) },
      contact: '#storage',
      runbook: 'https://runbooks.example/osd',
      timeoutSeconds: 60,
      onTimeout: 'Hold',
      silentSince: timeAfter(80),
      silence: { cause: 'answers-503', text: 'the function answers 503' },
    });
    expect(told(hook)).toEqual([
      {
        machine: aMachine().ref,
        hook: 'move-data',
        place: 'PreDrain',
        attempt: 4,
        since: timeAfter(10),
        state: 'Working',
        message: 'two of nine',
        contact: '#storage',
        runbook: 'https://runbooks.example/osd',
        silentSince: timeAfter(80),
        because: 'the function answers 503',
        overSince: timeAfter(70),
        after: 'holds',
      },
    ]);
  });

  test.each([
    [{}, 'waits on'],
    [{ timeoutSeconds: 60, onTimeout: 'Hold' }, 'holds'],
    [{ timeoutSeconds: 60, onTimeout: 'Proceed' }, 'goes on'],
  ] as const)('with %j it %s', (parts, expected) => {
    expect(told(anAsked({ begin: timeAfter(90), ...parts })).map((row) => row.after)).toEqual([expected]);
  });

  test('are those of the lowest order at the place that is reached', () => {
    const later = anAsked({ name: 'later', uid: 'b', order: 5 });
    const server = anAsked({ name: 'server', uid: 'c', place: 'PreTerminate' });
    const over = anAsked({ name: 'over', uid: 'd', end: { as: 'Done', at: timeAfter(20), why: 'done' } });
    expect(told(over, anAsked(), later).map(({ hook }) => hook)).toEqual(['move-data']);
    expect(told(over, anAsked(), later, server).map(({ hook }) => hook)).toEqual(['server']);
  });
});
