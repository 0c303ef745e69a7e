import { expect, test } from 'vitest';
import { preTerminate } from '../../functions/pre-terminate.ts';
import type { BesideHooksSeen } from '../../shared/observe/beside-hooks.ts';
import { beside } from '../builders/beside.ts';
import { after } from '../builders/cluster-api.ts';
import { aSubject } from '../builders/subject.ts';

const subject = aSubject({ phase: 'pre-terminate', dialect: beside() });
const handedOver = (how: string) => ({
  kind: 'hand-over',
  exclusions: [],
  report: { reason: 'HandingOver', message: `Handed over: ${how}` },
});

test.each<[what: string, seen: BesideHooksSeen, decision: object]>([
  [
    'waits while the API’s own controller has not come to it',
    { kind: 'ahead' },
    {
      kind: 'wait',
      until: [{ kind: 'hook-removed' }],
      report: {
        reason: 'HandingOver',
        message: 'Handed over until its own controller comes to the pre-terminate hooks',
      },
      requeueAfterSeconds: 60,
    },
  ],
  [
    'goes back where the hook before the drain is on the Machine again',
    { kind: 'held-again' },
    { kind: 'retreat', to: 'hand-over', message: 'our pre-drain hook is on it again' },
  ],
  ['takes our hook off once more that has come back', { kind: 'let-go' }, handedOver('it was let go before')],
  [
    'takes our hook off where no function is to be asked',
    { kind: 'reached', hooks: undefined },
    handedOver('no function is left to ask'),
  ],
  [
    'holds while nobody can tell who is to be asked',
    {
      kind: 'reached',
      hooks: {
        place: 'PreTerminate',
        asked: undefined,
        selected: { hooks: [], unclear: ['DeletionHook wipe cannot be read: spec.at: is missing'] },
        records: [],
        hasKey: true,
        isForeseen: false,
      },
    },
    {
      kind: 'wait',
      until: [],
      report: {
        reason: 'WaitingForPreTerminateHook',
        message: 'DeletionHook wipe cannot be read: spec.at: is missing',
        hooks: [],
        isHeldUp: true,
      },
      requeueAfterSeconds: 60,
    },
  ],
])('beside the API’s own controller it %s', (_what, seen, decision) => {
  expect(preTerminate.decide(subject, seen, after(10))).toEqual(decision);
});
