import { expect, test } from 'vitest';
import { tickingStore } from '../../../infra/host/ticking-store.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import { clockOf } from '../../builders/clock.ts';
import { aCommand } from '../../builders/world.ts';

const look = { machine: aCommand().machine, at: 1_000, failures: 0 };

const inVain = () => Promise.reject(new StoreUnavailable('down'));

function aTick() {
  const told: string[] = [];
  const tick = (what: string) => async (): Promise<void> => void told.push(what);
  return { told, ticks: { start: tick('start'), rest: tick('rest') } };
}

test('a look that is set has the tick going', async () => {
  const { told, ticks } = aTick();
  const memory = createMemoryStore(clockOf(() => 0));
  const store = tickingStore(memory, ticks);
  expect(await store.schedule(look)).toBe(true);
  expect(await store.schedule({ ...look, at: 2_000 })).toBe(false);
  expect(told).toEqual(['start', 'start']);
  expect(await store.due(1_000, 10)).toEqual([look]);
});

test('so has one that could not be set: the tick lists Machines while the store is down', async () => {
  const { told, ticks } = aTick();
  const memory = createMemoryStore(clockOf(() => 0));
  await expect(tickingStore({ ...memory, schedule: inVain }, ticks).schedule(look)).rejects.toThrow(
    StoreUnavailable,
  );
  expect(told).toEqual(['start']);
});
