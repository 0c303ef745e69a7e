import { expect, test } from 'vitest';
import type { HookState } from '../../../shared/machine/hook-call.ts';
import type { AnswerFate } from '../platform/functions/answer-fate.ts';
import { anyhow, fatesBy, sorted } from './fates.ts';

const states: Readonly<Record<string, HookState>> = {
  'a sign of life': 'Working',
  'a failure': 'Failed',
  'an end': 'Done',
};
const any = Object.keys(states);
const before = any.filter((kind) => kind !== 'an end');

function words(fate: AnswerFate): string {
  if (typeof fate === 'string') return fate;
  if ('falsely' in fate) return `Done with ${fate.falsely}${fate.token === 'another' ? ', by another' : ''}`;
  if ('again' in fate) return `comes ${fate.again} times more`;
  return fate.delayMilliseconds <= 10_000 ? 'comes seconds late' : 'comes late';
}

test.each<[name: string, fates: Record<string, readonly string[]>]>([
  ['hook-answers-lost', { 'is lost': any }],
  ['hook-answers-late', anyhow(any, 'comes seconds late', 'comes late')],
  ['hook-answers-doubled', anyhow(any, ...[1, 2, 3].map((times) => `comes ${times} times more`))],
  [
    'hook-answers-forged',
    anyhow(
      before,
      ...[
        'another type',
        'an unknown state',
        'no token',
        'the proof of another turn',
        'another turn under its proof',
        'a proof of its own',
        'a token cut short',
      ].map((falsely) => `Done with ${falsely}`),
    ),
  ],
])('what %s does to answers, and to which', async (name, fates) => {
  expect(
    await fatesBy(name, any, ({ meddlers }, kind) => {
      const call = { hook: 'fleet/move-data', machineUid: 'u', answerTo: 'a.b', id: 'c' };
      const fate = meddlers.hookAnswer({ call, state: states[kind] ?? 'Done' });
      return fate && words(fate);
    }),
  ).toEqual(sorted(fates));
});
