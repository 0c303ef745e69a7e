import { expect, test } from 'vitest';
import { holdLittle } from '../../../infra/cli/run/run.ts';
import type { SeenMachines } from '../../../infra/local/platform/seen-machines.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

type SeenListener = Parameters<SeenMachines['listen']>[0];

const resource = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' };
const aMachine = { resource, namespace: 'fleet', name: 'worker-1', uid: 'uid' };

function given() {
  const told: string[] = [];
  const listeners: SeenListener[] = [];
  const clock = manualClock();
  const heap = {
    keepSmall: () => void told.push('keep small'),
    makeRoom: () => void told.push('make room'),
    giveBack: () => void told.push('give back'),
  };
  const stop = holdLittle(heap, { listen: (listener) => void listeners.push(listener) }, clock);
  return {
    told,
    clock,
    stop,
    seen: (isDeleting: boolean) =>
      listeners.forEach((listener) => listener.seen?.({ ...aMachine, isDeleting }, undefined)),
    gone: () => listeners.forEach((listener) => listener.gone('uid')),
  };
}

test('memory is given back once, five seconds after the last Machine has gone', async () => {
  const { told, clock, gone } = given();
  gone();
  await clock.advance(4_999);
  gone();
  await clock.advance(4_999);
  expect(told).toEqual(['keep small']);
  await clock.advance(1);
  await clock.advance(60_000);
  expect(told).toEqual(['keep small', 'give back']);
});

test('no memory is given back by a run that has ended', async () => {
  const { told, clock, gone, stop } = given();
  gone();
  stop();
  await clock.advance(60_000);
  expect(told).toEqual(['keep small']);
});

test('room is made for the deletion of a Machine, and for no other change', () => {
  const { told, seen } = given();
  seen(false);
  expect(told).toEqual(['keep small']);
  seen(true);
  expect(told).toEqual(['keep small', 'make room']);
});
