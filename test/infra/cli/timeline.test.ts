import { expect, test } from 'vitest';
import type { Change } from '../../../infra/cli/run/change.ts';
import { Progress } from '../../../infra/cli/run/progress.ts';
import { timeline } from '../../../infra/cli/run/timeline.ts';

const plain = (_style: unknown, text: string): string => text;
const machine = 'fleet/worker-1';

/** A Machine that waits for a hook from its first second to its fourth. Since then it is in its next phase. */
function aJourney() {
  const progress = new Progress();
  const changes: Change[] = [
    { time: 1_000, machine, phase: 'pre-drain', event: 'deleting' },
    { time: 4_000, machine, phase: 'drain', event: 'phase', from: 'pre-drain', as: 'done', message: '' },
  ];
  for (const change of changes) progress.add(change, ['pre-drain', 'drain']);
  const [journey] = progress.journeys;
  if (journey === undefined) throw new Error('nothing was told of the Machine');
  return { progress, journey };
}

test('a Machine that stays has been in its phase until now', () => {
  expect(timeline(aJourney().journey, 13_000, plain)).toEqual([
    'fleet/worker-1 is still there after 12.0 s',
    '',
    '  pre-drain        3.0 s  ██████',
    '',
    '  drain            9.0 s        ██████████████████',
  ]);
});

test('one that is gone has been until then', () => {
  const { progress, journey } = aJourney();
  progress.gone(machine, 7_000);
  expect(timeline(journey, 13_000, plain)).toEqual([
    'fleet/worker-1 is gone after 6.0 s',
    '',
    '  pre-drain        3.0 s  ████████████',
    '',
    '  drain            3.0 s              ████████████',
  ]);
});
