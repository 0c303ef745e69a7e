import { expect, test } from 'vitest';
import { writeCheckpoint } from './asked.ts';
import { openStage, type Stage } from './stage.ts';
import { whatIsKnownStays } from './what-is-known-stays.ts';

interface Standing {
  seq: number;
  phase: string;
  since: string;
  reached?: string;
  node?: string;
  /** Phases, and when they began. */
  passed?: Readonly<Record<string, string>>;
}

function textOf(stage: Stage, { passed = {}, ...standing }: Standing): string {
  const { uid } = stage.machine().metadata;
  const all = Object.entries(passed).map(([phase, since]) => [phase, { as: 'done', since }]);
  return JSON.stringify({ v: 1, uid, ...standing, passed: Object.fromEntries(all) });
}

function write(stage: Stage, standing: Standing): void {
  const asked = writeCheckpoint(stage, textOf(stage, standing));
  stage.ask(asked, () => stage.patchMachine(asked.body ?? {}));
}

/** One after the other. */
async function written(all: readonly Standing[]): Promise<string[]> {
  const stage = await openStage(whatIsKnownStays);
  for (const standing of all) {
    write(stage, standing);
    await stage.pass();
  }
  return stage.cries;
}

const [first, second, third] = [
  '2026-01-01T00:00:01.000Z',
  '2026-01-01T00:00:02.000Z',
  '2026-01-01T00:00:03.000Z',
];

const atDrain = { seq: 0, phase: 'drain', since: first };
const atVolumes = { seq: 1, phase: 'volume-detach', since: second, passed: { drain: first } };
const back = { seq: 2, phase: 'drain', passed: { 'volume-detach': second } };

test('a drain that is gone back to goes on from its first start', async () => {
  expect(await written([atDrain, atVolumes, { ...back, since: first }])).toEqual([]);
});

test('a drain that is gone back to and begins anew is told', async () => {
  expect(await written([atDrain, atVolumes, { ...back, since: third }])).toEqual([
    `instance-1 writes the checkpoint of Machine fleet/m1: drain began at ${first}, and at ${third} now`,
  ]);
});

test('a phase that nobody has tried begins with its first try, and only that one', async () => {
  const passed = { drain: first };
  const late = { ...atVolumes, since: third, reached: second, passed };
  expect(await written([atVolumes, late])).toEqual([]);
  expect(await written([atVolumes, { ...late, passed: { drain: third } }])).toEqual([
    `instance-1 writes the checkpoint of Machine fleet/m1: drain began at ${first}, and at ${third} now`,
  ]);
});

test('a time limit that has started does not start again', async () => {
  const started = { ...atDrain, since: second, reached: first };
  expect(await written([started, { ...started, since: third }])).toEqual([
    `instance-1 writes the checkpoint of Machine fleet/m1: drain began at ${second}, and at ${third} now`,
  ]);
});

test('nor does that of a drain that is gone back to', async () => {
  const returned = { ...back, since: third, reached: third };
  expect(await written([atDrain, atVolumes, returned])).toEqual([
    `instance-1 writes the checkpoint of Machine fleet/m1: drain began at ${first}, and at ${third} now`,
  ]);
});

test('the Node that a Machine was found to have stays its own', async () => {
  expect(
    await written([
      { ...atDrain, node: 'one' },
      { ...atVolumes, node: 'one' },
    ]),
  ).toEqual([]);
});

test.each([
  ['another one', 'other'],
  ['none any more', undefined],
])('%s is told', async (_what, node) => {
  const later = node === undefined ? atVolumes : { ...atVolumes, node };
  expect(await written([{ ...atDrain, node: 'one' }, later])).toEqual([
    `instance-1 writes the checkpoint of Machine fleet/m1: its Node was one, and is ${node ?? 'not known'} now`,
  ]);
});

test('what the server refuses changes nothing', async () => {
  const stage = await openStage(whatIsKnownStays);
  write(stage, { ...atDrain, node: 'one' });
  stage.ask(writeCheckpoint(stage, textOf(stage, { ...atDrain, node: 'other' })), () => undefined, 409);
  expect(stage.cries).toEqual([]);
});
