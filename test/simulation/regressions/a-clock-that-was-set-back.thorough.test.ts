import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { openShiftSite } from '../scenario/draw/usual-sites.ts';
import { refusals } from '../wire/invented.ts';
import { oneWorker } from './one-worker.ts';
import { simulate } from '../simulate.ts';

// What was seen while the clock was ahead passed for new when the clock had been set back: a Node was deleted for a
// Machine that nobody had looked at for twenty seconds.

/** By so many milliseconds it is ahead when the Machine is seen last, and when the instance waits. */
const ahead = { atFirst: 20_000, later: 1_500 };

const setBackWhileItWaits: Fault = {
  name: 'the one of this story',
  about: "An instance's clock is set back while it waits since a Node could not be deleted.",
  strike({ world }) {
    const skew = (milliseconds: number): void =>
      world.instances().forEach(({ strand }) => strand.skew(milliseconds));
    skew(ahead.atFirst);
    let isStruck = false;
    world.meddlers.onRequest(({ verb, resource, instance }) => {
      if (isStruck && resource === 'events') {
        skew(ahead.later);
        world.scheduler.after(5_000, () => skew(0));
      }
      if (isStruck || verb !== 'delete' || resource !== 'nodes') return undefined;
      isStruck = true;
      world.hit(this.name, instance);
      return { answer: refusals.unavailable };
    });
    return undefined;
  },
};

test('a Machine is read again before its Node is deleted, however new its last reading is by the clock', async () => {
  const asked: string[] = [];
  const { violations } = await simulate(1, {
    faults: [setBackWhileItWaits],
    always: true,
    scenario: () =>
      oneWorker({
        site: openShiftSite,
        also: { clusters: [] },
        world: { workloads: [] },
        calmAt: 60_000,
      }),
    observers: [
      () => ({
        hit: () => void asked.push('it fails'),
        before({ verb, resource, name }) {
          if (name === 'blue-worker-1' && verb === 'get') asked.push(`get ${resource}`);
          if (resource === 'nodes' && verb === 'delete') asked.push('delete the Node');
        },
      }),
    ],
  });
  expect({ violations, asked: asked.slice(asked.indexOf('it fails')) }).toEqual({
    violations: [],
    asked: ['it fails', 'get machines.machine.openshift.io', 'delete the Node'],
  });
});
