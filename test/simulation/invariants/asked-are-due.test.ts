import { expect, test } from 'vitest';
import { aLook, machine } from '../store/open-store.ts';
import { takeFinalizer } from './asked.ts';
import { askedAreDue } from './asked-are-due.ts';
import { openStage, type Stage, storeOf } from './stage.ts';

const event = (type: string, attributes: object = {}, data: object = {}) => ({
  attributes: { type, id: 'an event', ...attributes },
  data: Buffer.from(JSON.stringify(data)),
});

/** A tick is answered by a command to look at the Machine. */
const answer = (stage: Stage, sweep = 'due', type = 'dev.phaseout.deletion.advance.v1'): void => {
  const { uid: partitionkey = '' } = stage.machine().metadata;
  const tick = event('dev.knative.sources.ping', {}, { sweep });
  stage.observer.replied?.(event(type, { partitionkey }), tick);
};

const letGo = (stage: Stage): void =>
  stage.ask(takeFinalizer(stage), () =>
    stage.patchMachine({ metadata: { finalizers: ['example.com/other'] } }),
  );
const due = async (stage: Stage): Promise<void> => {
  const { uid = '' } = stage.machine().metadata;
  await storeOf(stage).schedule(aLook({ machine: { ...machine, uid }, at: stage.world.now() + 20_000 }));
};

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['with nothing due', answer, ['Machine fleet/m1 is asked for, and nothing is due']],
  [
    'with a look that is due',
    async (stage) => {
      await due(stage);
      answer(stage);
    },
    [],
  ],
  ['by the list of all', (stage) => answer(stage, 'all'), []],
  ['by a fact', (stage) => answer(stage, 'due', 'dev.phaseout.deletion.started.v1'), []],
  [
    'after it was let go',
    async (stage) => {
      letGo(stage);
      await stage.pass(10);
      answer(stage);
    },
    [],
  ],
  [
    'after something went wrong',
    (stage) => {
      stage.observer.hit?.('store-down', [], undefined);
      answer(stage);
    },
    [],
  ],
])('a Machine is asked for %s', async (_how, act, cries) => {
  const stage = await openStage(askedAreDue);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});
