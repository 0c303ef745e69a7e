import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Random } from '../../random.ts';
import { simulate } from '../../simulate.ts';
import type { World } from '../../world.ts';
import { smallWorld } from '../small-world.ts';
import { objects } from './objects.ts';

const resources = [
  'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
];

const referredIn = ({ management }: World): KubeObject[] =>
  resources.flatMap((resource) => management.list(resource));

/** What `look` sees of the objects of providers each time that the provider is told of. */
async function seen<T>(name: string, look: (object: KubeObject) => T): Promise<T[]> {
  const faults = objects.filter((fault) => fault.name === name);
  const all: T[] = [];
  const watch = (world: World) => ({
    said(who: string) {
      if (who === 'the provider') all.push(...referredIn(world).map(look));
    },
  });
  for (const seed of [1, 2, 3]) {
    const options = { faults, always: true, scenario: smallWorld, observers: [watch] };
    expect((await simulate(seed, options)).violations).toEqual([]);
  }
  return all;
}

test('an object that fails says so in its status', async () => {
  expect(await seen('infrastructure-fails', ({ status }) => status)).toContainEqual(
    expect.objectContaining({
      ready: false,
      failureReason: 'DeleteError',
      failureMessage: 'the cloud has a bad day',
    }),
  );
});

test.each(['infrastructure-slow', 'infrastructure-stays'])(
  '%s: what is asked to go is held for a while',
  async (name) => {
    const held = await seen(name, ({ metadata: { deletionTimestamp, finalizers } }) =>
      deletionTimestamp === undefined ? [] : (finalizers ?? []),
    );
    expect(held.flat()).toContain('provider.example.com/teardown');
  },
);

test.each(objects.map((fault) => [fault.name, fault] as const))(
  '%s: what goes after the calm goes as ever',
  async (_name, fault) => {
    const hits: string[] = [];
    const options = {
      faults: [fault],
      always: true,
      // Before anybody deletes anything.
      scenario: (random: Random) => ({ ...smallWorld(random), calmAt: 100 }),
      observers: [() => ({ calm: () => void hits.splice(0), hit: (name: string) => void hits.push(name) })],
    };
    for (const seed of [1, 2, 3]) expect((await simulate(seed, options)).violations).toEqual([]);
    expect(hits).toEqual([]);
  },
);
