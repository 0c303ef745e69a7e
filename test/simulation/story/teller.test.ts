import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { Scenario } from '../scenario/model.ts';
import { World } from '../world.ts';
import { createStory } from './story.ts';
import { teller } from './teller.ts';

const scenario: Scenario = {
  world: { workloads: [], instances: 1, config: {}, latencyMilliseconds: 0 },
  machines: [],
  build: () => undefined,
  deeds: [],
  calmAt: 0,
  blockers: () => [],
  giveIn: () => undefined,
};

function open() {
  const world = new World({ ...scenario.world, random: createRandom(1) });
  world.began = world.now();
  const story = createStory();
  const observer = teller(story)(world, scenario);
  world.observers.push(observer);
  const pass = (milliseconds: number) => world.scheduler.run(world.now() + milliseconds);
  const log = (level: string, message: string, fields: object): void =>
    observer.logged?.('instance-1', level, message, fields);
  const told = (): string[] =>
    story
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ {3,}/g, '  '));
  return { world, observer, pass, log, told };
}

test('a fault belongs to what was said of it right then, and to nothing else of that moment', async () => {
  const { world, pass, told } = open();
  world.say('a user', 'pauses fleet/m1');
  world.hit('machine-paused');
  world.hit('timeout', 'instance-1', ['drain', 'drain', 'node']);
  world.say('a user', 'deletes the Machine fleet/m1');
  await pass(0);
  world.scheduler.after(0, () => undefined);
  await pass(0);
  world.hit('timeout', 'instance-1');
  expect(told()).toEqual(
    [
      '0.000  a user  pauses fleet/m1  [machine-paused]',
      '0.000  faults  [timeout on instance-1 during drain and node]',
      '0.000  a user  deletes the Machine fleet/m1',
      '0.000  faults  [timeout on instance-1]',
    ].map((line) => expect.stringContaining(line)),
  );
});

test('what is waited for is told once, and again when it is something else', async () => {
  const { log, pass, told } = open();
  const wait = (reason: string, again: string): void =>
    log('info', 'Deletion waits', { Machine: 'fleet/m1', phase: 'drain', reason, again });
  wait('Paused', '1m0s');
  await pass(60_000);
  wait('Paused', '59s');
  wait('DrainingNode', '20s');
  expect(told()).toEqual(
    [
      '0.000  instance-1  waits in drain of Machine fleet/m1: Paused, looks again in 1m0s at the latest',
      '60.000  instance-1  waits in drain of Machine fleet/m1: DrainingNode, looks again in 20s at the latest',
    ].map((line) => expect.stringContaining(line)),
  );
});

test('a complaint is told again after ten seconds', async () => {
  const { log, pass, told } = open();
  for (let time = 0; time < 4; time += 1) {
    log('warn', 'Machines could not be listed', { why: '504', request: String(time) });
    await pass(5_000);
  }
  expect(told()).toEqual(
    [
      '0.000  instance-1  warns: Machines could not be listed (why: 504)',
      '10.000  instance-1  warns: Machines could not be listed (why: 504)',
    ].map((line) => expect.stringContaining(line)),
  );
});

test('what a provider is asked for a living Machine is told where it makes a difference', () => {
  const { observer, told } = open();
  const machine = { metadata: { namespace: 'fleet', name: 'm1' } };
  for (const [operation, kind] of [
    ['exists', 'absent'],
    ['create', 'accepted'],
    ['exists', 'exists'],
  ] as const)
    observer.provider?.({ instance: 'instance-1', operation, machine, cluster: undefined }, { kind });
  expect(told()).toEqual([
    expect.stringContaining(
      '0.000  instance-1  has the provider make the server of Machine fleet/m1: accepted',
    ),
  ]);
});
