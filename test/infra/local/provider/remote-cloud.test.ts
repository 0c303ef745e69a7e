import { expect, test } from 'vitest';
import { createRemoteCloud } from '../../../../infra/local/provider/remote-cloud.ts';
import type { Actuator, Existence } from '../../../../shared/actuator/port.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { anActuator } from '../../../builders/actuator.ts';
import { anOpenShiftMachine, targetOf } from '../../../builders/provider-machines.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

/** Somebody's provider that answers `exists` with these, one after the other; the last one stands. */
function aRemote(...exists: (Existence | Error)[]) {
  const clock = manualClock();
  const actuator = anActuator();
  const asked: string[] = [];
  const cloud = createRemoteCloud({
    clock,
    actuator: {
      ...actuator,
      async exists({ machine }) {
        asked.push(machine.metadata.name);
        const answer = exists.length > 1 ? exists.shift() : exists[0];
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('not expected');
        return answer;
      },
    },
  });
  const seen: string[] = [];
  cloud.onChange(({ state }, isGone) => seen.push(isGone ? 'gone' : state));
  return { cloud, clock, seen, asked, pass: (seconds: number) => clock.advance(seconds * 1_000) };
}

const machine = anOpenShiftMachine();
const present: Existence = { kind: 'exists' };
const absent: Existence = { kind: 'absent' };

test('a server runs once the provider says that it exists', async () => {
  const { cloud, seen, pass } = aRemote(absent, new Unavailable('503'), present);
  await cloud.create(targetOf(machine));
  await cloud.create(targetOf(machine));
  await pass(2);
  expect(seen).toEqual(['creating']);
  await pass(1);
  expect(seen).toEqual(['creating', 'running']);
  expect(cloud.servers()).toMatchObject([{ machine: { name: 'worker-1' }, state: 'running' }]);
});

test('a server is gone once the provider says that it does not exist, and not while it cannot be asked', async () => {
  const { cloud, seen, pass } = aRemote(present, new Unavailable('503'), absent);
  cloud.adopt(machine);
  await cloud.delete(targetOf(machine));
  await cloud.delete(targetOf(machine));
  await pass(2);
  expect(seen).toEqual(['running', 'stopping']);
  await pass(1);
  expect(seen).toEqual(['running', 'stopping', 'gone']);
  expect(cloud.servers()).toEqual([]);
});

test('a server has the identity that the provider has given it', async () => {
  const actuator: Actuator = {
    ...anActuator(),
    create: async () => ({ kind: 'done', report: { providerID: 'aws:///a/i-1' } }),
  };
  const cloud = createRemoteCloud({ clock: manualClock(), actuator });
  await cloud.create(targetOf(machine));
  expect(cloud.servers()).toMatchObject([{ providerId: 'aws:///a/i-1' }]);
});

test('nobody is asked for servers that nothing was done to', async () => {
  const { cloud, asked, pass } = aRemote(absent);
  cloud.adopt(machine);
  cloud.adopt(machine);
  await pass(60);
  expect(asked).toEqual([]);
  expect(cloud.servers()).toMatchObject([{ state: 'running' }]);
});

test('nothing is asked or told any more when it is closed', async () => {
  const { cloud, seen, asked, pass } = aRemote(present);
  await cloud.create(targetOf(machine));
  cloud.close();
  await pass(60);
  expect({ seen, asked }).toEqual({ seen: ['creating'], asked: [] });
});

test('the provider itself is asked what the functions want to know', async () => {
  const { cloud, asked } = aRemote(present);
  expect(await cloud.exists(targetOf(machine))).toEqual(present);
  expect(await cloud.update(targetOf(machine))).toEqual({ kind: 'done', report: {} });
  expect(asked).toEqual(['worker-1']);
});
