import { expect, test } from 'vitest';
import { checkpoint, takeFinalizer, writeCheckpoint } from './asked.ts';
import { machines } from './built-stage.ts';
import { refusalsAreSaid } from './refusals-are-said.ts';
import { exchangeOf, openStage, type Stage } from './stage.ts';

const message = 'policy "audit" denied request';

const writing = (stage: Stage) => writeCheckpoint(stage, checkpoint(stage, { phase: 'drain' }));

/** An instance gets this answer in the place of the API server's. */
const refuse = (stage: Stage, asked = writing(stage), code = 422, text = message): void =>
  stage.observer.invented?.(exchangeOf(asked), { code, message: text });

function say(stage: Stage, text: string): void {
  const { uid } = stage.machine().metadata;
  const status = { conditions: [{ type: 'Deleting', message: text }] };
  stage.ask({ verb: 'patch', resource: `${machines}/status`, body: { metadata: { uid }, status } });
}

function write(stage: Stage, text: string): void {
  const { uid } = stage.machine().metadata;
  stage.ask({ verb: 'create', resource: 'events', body: { involvedObject: { uid }, message: text } });
}

const words = `the checkpoint could not be written: ${message}`;
const cry = `Machine fleet/m1: nobody says ${message}`;

test.each<[string, (stage: Stage) => void, string[]]>([
  ['and of which nobody says so', (stage) => refuse(stage), [cry]],
  ['for want of a permission', (stage) => refuse(stage, writing(stage), 403), [cry]],
  ['whose finalizer may not go', (stage) => refuse(stage, takeFinalizer(stage)), [cry]],
  [
    'that says something else',
    (stage) => {
      refuse(stage);
      say(stage, 'Please check controller logs for errors');
    },
    [cry],
  ],
  [
    'that says so',
    (stage) => {
      refuse(stage);
      say(stage, words);
    },
    [],
  ],
  [
    'that has said so before',
    (stage) => {
      refuse(stage);
      write(stage, words);
      refuse(stage);
    },
    [],
  ],
  [
    'and that was written after all',
    (stage) => {
      refuse(stage);
      stage.ask(writing(stage));
    },
    [],
  ],
  [
    'but for something that it needs as long as it lives',
    (stage) => refuse(stage, { ...writing(stage), body: { metadata: { labels: { pool: 'b' } } } }),
    [],
  ],
  ['because it has changed', (stage) => refuse(stage, writing(stage), 409), []],
  [
    'while something else goes wrong',
    (stage) => {
      refuse(stage);
      stage.observer.hit?.('crash-after-effect', [], undefined);
    },
    [],
  ],
  [
    'right before the calm',
    (stage) => {
      refuse(stage);
      stage.observer.calm?.();
    },
    [],
  ],
])('a Machine that may not be written %s', async (_which, act, cries) => {
  const stage = await openServed();
  act(stage);
  await stage.pass(11_000);
  stage.look();
  expect(stage.cries).toEqual(cries);
});

test('a Machine that lives need not say that it may not be written', async () => {
  const stage = await openServed();
  refuse(stage, { ...writing(stage), name: 'm2' });
  await stage.pass(11_000);
  stage.look();
  expect(stage.cries).toEqual([]);
});

const other = 'for want of a permission';

test.each([
  ['is left to the next look where the first was said a moment ago', 3_000, []],
  ['has to be said at once otherwise', 5_000, [`Machine fleet/m1: nobody says ${other}`]],
])('a refusal for another cause %s', async (_how, milliseconds, cries) => {
  const stage = await openServed();
  refuse(stage);
  say(stage, words);
  await stage.pass(milliseconds);
  refuse(stage, writing(stage), 403, other);
  await stage.pass(11_000);
  stage.look();
  expect(stage.cries).toEqual(cries);
});

/** The one that is refused by `refuse` is there. */
async function openServed(): Promise<Stage> {
  const stage = await openStage(refusalsAreSaid);
  stage.world.startInstance();
  stage.observer.hit?.('denied', [], undefined);
  return stage;
}

test.each([
  ['has just woken', 41_000, []],
  ['has been awake for a while', 51_000, [cry]],
])('whoever stood still over the refusal for 40 s %s %i ms after it', async (_how, passed, cries) => {
  const stage = await openServed();
  stage.world.instances()[0]?.strand.pause(40_000);
  refuse(stage);
  await stage.pass(passed);
  stage.look();
  expect(stage.cries).toEqual(cries);
});

test('whoever is asked to end need not say what it was refused', async () => {
  const stage = await openServed();
  for (const instance of stage.world.instances()) stage.world.retire(instance);
  refuse(stage);
  await stage.pass(11_000);
  stage.look();
  expect(stage.cries).toEqual([]);
});
