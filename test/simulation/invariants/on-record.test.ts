import { expect, test } from 'vitest';
import { aLook, anEviction, machine } from '../store/open-store.ts';
import { checkpoint, save, takeFinalizer, writeCheckpoint } from './asked.ts';
import { begunAreDue } from './begun-are-due.ts';
import { evictionsAreOnRecord } from './evictions-are-on-record.ts';
import { historyIsKept } from './history-is-kept.ts';
import { letGoForGood } from './let-go-for-good.ts';
import { exchangeOf, openStage, type Stage, storeOf } from './stage.ts';
import { waitsAreDue } from './waits-are-due.ts';

const tellEviction = (stage: Stage): void =>
  stage.tell('dev.phaseout.pod.evicted.v1', 'told', { machine, pod: { uid: 'pod-1' } });

const unknown = 'told is told, and the table does not know of it';

test('an eviction is told when it is on record', async () => {
  const stage = await openStage(evictionsAreOnRecord);
  tellEviction(stage);
  expect(stage.cries).toEqual([unknown]);
  await storeOf(stage).recordEvictions(machine, [anEviction({ podUid: 'pod-1' })]);
  tellEviction(stage);
  expect(stage.cries).toHaveLength(1);
});

const hit = (fault: string) => (stage: Stage) => stage.observer.hit?.(fault, [], undefined);
const warned = (stage: Stage) =>
  stage.observer.logged?.('instance-1', 'warn', 'The store does not answer: no answer within 5000 ms.', {});

test.each<[string, (stage: Stage) => void, string[]]>([
  ['a store that was down holds no eviction up', hit('store-down'), []],
  ['nor does one whose answer an instance has slept through', warned, []],
  ['what else goes wrong makes no difference', hit('events-lost'), [unknown]],
])('%s', async (_what, before, cries) => {
  const stage = await openStage(evictionsAreOnRecord);
  before(stage);
  tellEviction(stage);
  expect(stage.cries).toEqual(cries);
});

interface LetGo {
  before?: (stage: Stage) => void;
  after?: (stage: Stage) => void;
  isDue?: boolean;
}

/** An instance lets the Machine go, and leaves a look at it due. Answers with what is cried after so long. */
async function criesAfter(
  milliseconds: number,
  { before, after, isDue = true }: LetGo = {},
): Promise<string[]> {
  const stage = await openStage(letGoForGood);
  before?.(stage);
  const { uid = '' } = stage.machine().metadata;
  if (isDue)
    await storeOf(stage).schedule(aLook({ machine: { ...machine, uid }, at: stage.world.now() + 20_000 }));
  stage.ask(takeFinalizer(stage));
  after?.(stage);
  await stage.pass(milliseconds);
  stage.tell('dev.knative.apiserver.resource.update', 'anything', {});
  return stage.cries;
}

test('a look at a Machine that was let go does not stay due', async () => {
  expect(await criesAfter(2_500)).toEqual(['a look at Machine fleet/m1 is still due, and it was let go']);
});

test.each([
  ['there is none', () => criesAfter(2_500, { isDue: false })],
  ['it may be taken back yet', () => criesAfter(500)],
  [
    'something went wrong',
    () => criesAfter(2_500, { before: (stage) => stage.observer.hit?.('store-down', [], undefined) }),
  ],
  [
    'everybody gave in right then, and the one that let it go ended',
    () => criesAfter(2_500, { after: (stage) => stage.observer.stoodStill?.() }),
  ],
  [
    'a sweep may just have read the Machine',
    () => criesAfter(2_500, { before: (stage) => stage.tell('dev.knative.sources.ping', 'tick', {}) }),
  ],
])('nothing is told of a look where %s', async (_why, run) => {
  expect(await run()).toEqual([]);
});

const tellPassed = (stage: Stage): void =>
  stage.tell('dev.phaseout.deletion.advanced.v1', 'told', { machine, seq: 3 });

const anEntry = (id: string, what: 'advanced' | 'waited' | 'acted') =>
  ({ id, at: 0, phase: 'drain', what, reason: 'done', message: '', by: 'instance-1' }) as const;

const unkept = ['told is told, and no history has it'];

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['where there is none', () => undefined, unkept],
  [
    'where it has it',
    (stage) => storeOf(stage).appendHistory(machine, [anEntry('000002-a', 'advanced')]),
    [],
  ],
  [
    'where it has something else',
    (stage) => storeOf(stage).appendHistory(machine, [anEntry('000002-a', 'waited')]),
    unkept,
  ],
  [
    'where it has what was before',
    (stage) => storeOf(stage).appendHistory(machine, [anEntry('000001-a', 'advanced')]),
    unkept,
  ],
  ['where the store was down', hit('store-down'), []],
])('a phase that is told to be passed is looked for in the history: %s', async (_where, before, cries) => {
  const stage = await openStage(historyIsKept);
  await before(stage);
  tellPassed(stage);
  expect(stage.cries).toEqual(cries);
});

test.each<[string, string, string[]]>([
  ['nothing of its step', '000002-a', unkept],
  ['what was done in its step', '000003-a', []],
])('an eviction that is told is looked for in the history, which has %s', async (_what, id, cries) => {
  const stage = await openStage(historyIsKept);
  await storeOf(stage).appendHistory(machine, [anEntry(id, 'acted')]);
  stage.tell('dev.phaseout.pod.evicted.v1', 'told', { machine, seq: 3, pod: { uid: 'pod-1' } });
  expect(stage.cries).toEqual(cries);
});

const waits = (stage: Stage, message = 'Deletion waits'): void =>
  stage.observer.logged?.('instance-1', 'info', message, { Machine: 'fleet/m1', uid: machine.uid });

const dueIn =
  (seconds: number) =>
  async (stage: Stage): Promise<void> => {
    await storeOf(stage).schedule(aLook({ machine, at: stage.world.now() + seconds * 1_000 }));
  };

const nothingDue = ['instance-1 waits with Machine fleet/m1: nothing is due'];

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['nothing', () => undefined, nothingDue],
  ['a look in 20 s', dueIn(20), []],
  ['a look that was due a second ago', dueIn(-1), []],
  ['a look that was due a minute ago', dueIn(-60), nothingDue],
  ['nothing, since something has gone wrong', hit('answer-lost'), []],
])('where somebody waits, this is due: %s', async (_what, before, cries) => {
  const stage = await openStage(waitsAreDue);
  await before(stage);
  waits(stage);
  expect(stage.cries).toEqual(cries);
});

test('every kind of wait has to be due, and nothing else', async () => {
  const stage = await openStage(waitsAreDue);
  for (const message of ['Deletion is held up', 'Drain not completed yet, requeuing in 20s', 'Phase passed'])
    waits(stage, message);
  expect(stage.cries).toEqual([...nothingDue, ...nothingDue]);
});

const dueForIt = async (stage: Stage): Promise<void> => {
  const { uid = '' } = stage.machine().metadata;
  await storeOf(stage).schedule(aLook({ machine: { ...machine, uid }, at: stage.world.now() + 20_000 }));
};

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['nothing', () => undefined, ['instance-1 writes the checkpoint of Machine fleet/m1: nothing is due']],
  [
    'a look at another Machine',
    dueIn(20),
    ['instance-1 writes the checkpoint of Machine fleet/m1: nothing is due'],
  ],
  ['a look', dueForIt, []],
  ['nothing, since the store was down', hit('store-down'), []],
])('where a deletion is begun, this is due: %s', async (_what, before, cries) => {
  const stage = await openStage(begunAreDue);
  await before(stage);
  save(stage, { phase: 'drain' });
  expect(stage.cries).toEqual(cries);
});

const refuse =
  (code: number, name = 'm1', message = '') =>
  (stage: Stage): void => {
    const asked = { ...writeCheckpoint(stage, checkpoint(stage, {})), instance: 'instance-2', name };
    stage.observer.invented?.(exchangeOf(asked), { code, message });
  };

const unasked = 'Internal error occurred: failed calling webhook "guard.example.com": connection reset';

const begunWithNothing = ['instance-1 writes the checkpoint of Machine fleet/m1: nothing is due'];

test.each<[string, (stage: Stage) => void, string[]]>([
  ['may not begin it', refuse(403), []],
  ['was told that it makes no sense', refuse(422), []],
  ['was told that a webhook could not be asked', refuse(500, 'm1', unasked), []],
  ['was told of a mistake of the API server', refuse(500), begunWithNothing],
  ['was told of a conflict', refuse(409), begunWithNothing],
  ['may not begin another one', refuse(403, 'm2'), begunWithNothing],
])('another instance takes the look back when it %s', async (_why, before, cries) => {
  const stage = await openStage(begunAreDue);
  before(stage);
  save(stage, { phase: 'drain' });
  expect(stage.cries).toEqual(cries);
});

test('a deletion that has begun is not begun again', async () => {
  const stage = await openStage(begunAreDue);
  hit('answer-lost')(stage);
  await dueForIt(stage);
  save(stage, { phase: 'drain' });
  await storeOf(stage).unschedule(stage.machine().metadata.uid ?? '');
  save(stage, { phase: 'volume-detach', seq: 1, passed: { drain: 'done' } });
  expect(stage.cries).toEqual([]);
});
