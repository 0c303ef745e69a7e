import { expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { rememberStatusWrite } from '../../../shared/cache/ledger.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Report } from '../../../shared/machine/report.ts';
import { millisecondsToShow } from '../../../shared/reconcile/show-later.ts';
import { beside } from '../../builders/beside.ts';
import { clockOf } from '../../builders/clock.ts';
import { after, aMachine, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

const draining: Report = { reason: 'DrainingNode', message: 'two Pods are left' };
const handingOver: Report = { reason: 'HandingOver', message: 'Handed over' };
const shown = { type: 'phaseout.dev/Draining', status: 'True', reason: 'DrainingNode', message: 'ten Pods' };

/** A drain that began a second after the deletion, looked at so many seconds after it. */
function given(seconds: number, { conditions = [] as object[], dialect = beside() } = {}) {
  let now = after(seconds);
  const cache = new Cache(clockOf(() => now));
  const raw = { ...aRawMachine(), status: { conditions } };
  const machine = { ...aMachine(), raw };
  const subject = aSubject({ dialect, machine, checkpoint: { reached: timeAfter(1) } });
  return {
    cache,
    pass: (more: number) => (now += more * 1_000),
    later: (report: Report | undefined) =>
      millisecondsToShow({ cache, clock: clockOf(() => now) }, subject, report),
  };
}

test.each<[what: string, milliseconds: number, expected: number]>([
  ['a drain of two seconds is shown thirteen seconds later', given(3).later(draining), 13_000],
  ['a drain of fifteen seconds is shown', given(16).later(draining), 0],
  ['a drain that is held up is shown at once', given(1).later({ ...draining, isHeldUp: true }), 0],
  ['a failure is shown at once', given(1).later({ ...draining, error: 'no answer' }), 0],
  [
    'a hook is shown at once',
    given(1).later({ reason: 'WaitingForPreDrainHook', message: 'Waiting for hooks' }),
    0,
  ],
  [
    'a drain in the place of the controller is shown at once, as that controller does',
    given(3, { dialect: clusterApi }).later(draining),
    0,
  ],
  ['a hand-over is not shown: that controller is at work', given(30).later(handingOver), Infinity],
  [
    'a hand-over that is shown stays as it is',
    given(30, { conditions: [{ ...shown, status: 'False', reason: 'HandingOver' }] }).later(handingOver),
    Infinity,
  ],
  [
    'a hand-over takes an error back that is shown',
    given(30, { conditions: [{ ...shown, reason: 'InternalError' }] }).later(handingOver),
    0,
  ],
  ['a drain that the Machine shows already goes on', given(6, { conditions: [shown] }).later(draining), 0],
])('%s', (_what, milliseconds, expected) => {
  expect(milliseconds).toBe(expected);
});

test('another text is written fifteen seconds after the last one', () => {
  const { cache, pass, later } = given(6, { conditions: [shown] });
  const { ref } = aMachine();
  rememberStatusWrite(cache, ref.uid, { status: {}, over: {}, version: '1', failure: undefined }, 'written');
  expect(later({ ...draining, isHeldUp: true })).toBe(15_000);
  pass(14);
  expect(later(draining)).toBe(1_000);
  pass(1);
  expect(later(draining)).toBe(0);
});
