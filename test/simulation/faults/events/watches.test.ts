import { expect, test } from 'vitest';
import type { Observer } from '../../observer.ts';
import { simulate } from '../../simulate.ts';
import type { World } from '../../world.ts';
import { smallWorld } from '../small-world.ts';
import { watches } from './watches.ts';

/** Of each end of a Machine that a source reports, whether the Machine was still there. */
async function endsTold(seed: number): Promise<boolean[]> {
  const areThere: boolean[] = [];
  const watch = ({ management }: World): Observer => ({
    event({ attributes: { type, subject = '' } }) {
      if (type !== 'dev.knative.apiserver.resource.delete') return;
      const [, , , , , namespace, plural, name = ''] = subject.split('/');
      const kinds = management.resources().filter((resource) => resource.startsWith(`${plural}.`));
      areThere.push(kinds.some((resource) => management.get(resource, namespace, name) !== undefined));
    },
  });
  const faults = watches.filter(({ name }) => name === 'false-delete-in-watch');
  await simulate(seed, { faults, always: true, scenario: smallWorld, observers: [watch] });
  return areThere;
}

test('a false delete tells of the end of a Machine that is there', async () => {
  const all = await Promise.all([1, 2, 3, 4].map(endsTold));
  expect(all.flat()).toContain(true);
});
