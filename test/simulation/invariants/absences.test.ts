import { expect, test } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { rememberAbsences } from './sight/absences.ts';
import { exchangeOf } from './stage.ts';

const place = {
  resource: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  namespace: 'fleet',
  name: 'm1',
};
const asked = (verb: string): Exchange => exchangeOf({ ...place, verb });
const there = { code: 200, body: { kind: 'GenericInfrastructureMachine' } };
const gone = { code: 404, body: undefined };
const ended = { code: 200, body: { kind: 'Status' } };

/** What is answered, in this order, and heard in that. */
function isAbsent(answers: [verb: string, answer: typeof gone | typeof there][], heard: number[]): boolean {
  const absences = rememberAbsences();
  const exchanges = answers.map(([verb, answer]) => {
    const exchange = asked(verb);
    absences.note(exchange, answer);
    return exchange;
  });
  for (const index of heard) absences.hear(exchanges[index]!);
  return absences.isAbsent('instance-1', place);
}

test.each<[what: string, ...Parameters<typeof isAbsent>, expected: boolean]>([
  ['nothing was heard of', [['get', gone]], [], false],
  ['is not there', [['get', gone]], [0], true],
  ['is there', [['get', there]], [0], false],
  ['is being deleted', [['delete', there]], [0], false],
  ['was deleted for good', [['delete', ended]], [0], true],
  [
    'was made again',
    [
      ['get', gone],
      ['get', there],
    ],
    [0, 1],
    false,
  ],
  [
    'was there before it was deleted, of which is heard later',
    [
      ['get', there],
      ['delete', ended],
    ],
    [1, 0],
    true,
  ],
])('an object that %s', (_what, answers, heard, expected) => {
  expect(isAbsent(answers, heard)).toBe(expected);
});
