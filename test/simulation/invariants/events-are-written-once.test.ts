import { expect, test } from 'vitest';
import { save } from './asked.ts';
import { eventsAreWrittenOnce } from './events-are-written-once.ts';
import { openStage, type Stage } from './stage.ts';

/** Somebody writes it, and the server takes it unless it answers otherwise. */
function write(stage: Stage, instance: string, { message = 'held', code = 201 } = {}): void {
  const involvedObject = { uid: stage.machine().metadata.uid };
  const body = { reason: 'DrainBlocked', message, involvedObject };
  stage.ask({ instance, verb: 'create', resource: 'events', namespace: 'fleet', body }, undefined, code);
}

test('an Event is written once', async () => {
  const stage = await openStage(eventsAreWrittenOnce);
  save(stage, { seq: 1 });
  write(stage, 'instance-1');
  expect(stage.cries).toEqual([]);
  write(stage, 'instance-2');
  expect(stage.cries).toEqual(['instance-2 writes again: DrainBlocked: held']);
});

test.each<[string, (stage: Stage) => void]>([
  ['is refused by the server, which has it', (stage) => write(stage, 'instance-2', { code: 409 })],
  ['says something else', (stage) => write(stage, 'instance-2', { message: 'still held' })],
  [
    'is of another step',
    (stage) => {
      save(stage, { seq: 2 });
      write(stage, 'instance-2');
    },
  ],
  [
    'may be late, as something went wrong',
    (stage) => {
      stage.observer.hit?.('timeout', [], 'instance-1');
      write(stage, 'instance-2');
    },
  ],
])('nothing is told of another one that %s', async (_which, another) => {
  const stage = await openStage(eventsAreWrittenOnce);
  save(stage, { seq: 1 });
  write(stage, 'instance-1');
  another(stage);
  expect(stage.cries).toEqual([]);
});
