import { expect, test } from 'vitest';
import { checkpoint, evict, save, writeCheckpoint } from './asked.ts';
import type { Invariant } from './invariant.ts';
import { requestsAreFew } from './requests-are-few.ts';
import { requestsForOne } from './requests-for-one.ts';
import { openStage, type Stage } from './stage.ts';

async function begun(invariant: Invariant): Promise<Stage> {
  const stage = await openStage(invariant);
  stage.tell('dev.knative.apiserver.resource.update', 'a', {});
  return stage;
}

const look = (stage: Stage, times: number): void => {
  for (let time = 0; time < times; time += 1) stage.look();
};

test('all requests together do not grow without end', async () => {
  const stage = await begun(requestsAreFew);
  look(stage, 10);
  expect(stage.cries).toEqual([]);
  look(stage, 5);
  expect(stage.cries).toEqual([
    '75 requests where 50 are enough: 1 deletions, 0 evictions, 0 ticks, 0 faults',
  ]);
});

test('each eviction that is refused brings a look', async () => {
  const stage = await begun(requestsAreFew);
  evicted(stage, 4);
  look(stage, 15);
  expect(stage.cries).toEqual([]);
});

test('and each write that another instance was first to make', async () => {
  const stage = await begun(requestsAreFew);
  beaten(stage, 4);
  look(stage, 15);
  expect(stage.cries).toEqual([]);
});

const tooMany =
  '50 requests about Machine fleet/m1 where 25 are enough: 0 evictions, 0 s on its way, 0 faults';

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['of which nothing comes', () => undefined, [tooMany]],
  ['while it waits', (stage) => stage.pass(30_000), []],
  [
    'while it has waited for a moment',
    (stage) => stage.pass(10_000),
    [tooMany.replace('25 are', '43 are').replace(' 0 s', ' 10 s')],
  ],
  ['while its Node has been there for a moment, which a webhook may keep', atItsNode, []],
  ['while a Pod of it has been refused for a moment', (stage) => refusedForAMoment(stage, 429), []],
  ['while two budgets keep a Pod of it', (stage) => refusedForAMoment(stage, 500), []],
  ['each time that a Pod of it is refused', (stage) => evicted(stage, 3), []],
  [
    'each time that a Pod of it goes',
    (stage) => evicted(stage, 3, 201),
    [tooMany.replace('25 are', '37 are').replace('0 evictions', '3 evictions')],
  ],
  ['each time that another instance was first to write', (stage) => beaten(stage, 3), []],
  ['as Pods come', (stage) => changed(stage, 3), []],
  ['as something goes wrong', (stage) => struck(stage, 3), []],
  ['and evictions', (stage) => evicted(stage, 40), []],
])('requests about one Machine do not grow without end: looks %s', async (_which, then, cries) => {
  const stage = await begun(requestsForOne);
  look(stage, 8);
  await then(stage);
  look(stage, 9);
  expect(stage.cries).toEqual(cries);
});

async function atItsNode(stage: Stage): Promise<void> {
  save(stage, { phase: 'node' });
  await stage.pass(0);
  stage.tell('dev.knative.apiserver.resource.update', 'b', {});
  await stage.pass(5_000);
}

async function changed(stage: Stage, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) stage.pod(`a-${time}`);
  await stage.pass(10);
}

function struck(stage: Stage, times: number): void {
  for (let time = 0; time < times; time += 1) stage.observer.hit?.('conflict', [], undefined);
}

function evicted(stage: Stage, times: number, code = 429): void {
  const pod = stage.pod('a');
  for (let time = 0; time < times; time += 1) stage.ask(evict(pod), undefined, code);
}

function beaten(stage: Stage, times: number): void {
  for (let time = 0; time < times; time += 1)
    stage.ask(writeCheckpoint(stage, checkpoint(stage, { phase: 'drain' })), undefined, 409);
}

async function refusedForAMoment(stage: Stage, code: number): Promise<void> {
  evicted(stage, 1, code);
  await stage.pass(10_000);
}

test('requests about another Machine do not count', async () => {
  const stage = await begun(requestsForOne);
  for (let time = 0; time < 100; time += 1)
    stage.ask({ verb: 'get', host: 'blue', resource: 'nodes', name: 'node-2' });
  expect(stage.cries).toEqual([]);
});
