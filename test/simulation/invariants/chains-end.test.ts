import { expect, test } from 'vitest';
import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { chainsEnd } from './chains-end.ts';
import { openStage, type Stage } from './stage.ts';

const named = (id: string): CloudEvent => ({ attributes: { id }, data: Buffer.from('') });

/** Each of these answers the one before it, and the first one a tick. */
function reply({ observer }: Stage, ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) observer.replied?.(named(id), named(ids[index - 1] ?? 'tick'));
}

const toAndFro = (times: number): string[] =>
  Array.from({ length: times }, (_, index) => (index % 2 === 0 ? 'm/drain/0' : 'm/infrastructure/0'));

test.each<[string, (stage: Stage) => void, string[]]>([
  [
    'that goes to and fro',
    (stage) => reply(stage, toAndFro(100)),
    ['20 replies in a row, the last of them m/infrastructure/0'],
  ],
  ['that ends', (stage) => reply(stage, toAndFro(19)), []],
  [
    'that is begun anew by a tick',
    (stage) => {
      reply(stage, toAndFro(19));
      reply(stage, toAndFro(19));
    },
    [],
  ],
  [
    'that is begun anew by an event',
    (stage) => {
      reply(stage, toAndFro(19));
      stage.observer.event?.(named('m/drain/0'));
      stage.observer.replied?.(named('m/infrastructure/0'), named('m/drain/0'));
      stage.observer.replied?.(named('m/drain/0'), named('m/infrastructure/0'));
    },
    [],
  ],
])('a chain of replies %s', async (_which, run, cries) => {
  const stage = await openStage(chainsEnd);
  run(stage);
  expect(stage.cries).toEqual(cries);
});
