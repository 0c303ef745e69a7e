import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { renewOwnLease } from '../../../shared/write/own-lease.ts';
import { aWorld, type World } from '../../builders/world.ts';

const key = { namespace: 'phaseout', name: 'phaseout' };

test('the Lease of an installation is renewed by the time of its instance', async () => {
  const world = aWorld();
  world.management.put('leases', { metadata: key });
  await renewOwnLease(world.env, key);
  expect(world.management.at('leases/phaseout/phaseout')?.['spec']).toEqual({
    holderIdentity: 'test',
    leaseDurationSeconds: 1_800,
    renewTime: '2026-01-01T12:00:10.000000Z',
  });
  expect(world.said).toEqual([]);
});

test('the Lease of an installation is renewed though one of its Machine APIs is down', async () => {
  const world = aWorld(undefined, { lease: key });
  world.management.put('leases', { metadata: key });
  const [dialect] = world.env.dialects;
  world.env.dialects = [{ ...dialect!, name: 'broken', group: 'broken.example' }, dialect!];
  const { management } = world;
  const discover = management.discover.bind(management);
  management.discover = async (group, kind) => {
    if (group === 'broken.example') throw new Unavailable('conversion webhook failed');
    return discover(group, kind);
  };
  await sweep(world.env, 'all');
  expect(world.said).toEqual(['Machines could not be listed']);
  expect(management.at('leases/phaseout/phaseout')?.['spec']).toMatchObject({
    renewTime: '2026-01-01T12:00:10.000000Z',
  });
});

describe('a Lease that cannot be renewed is said, and stops nothing:', () => {
  test.each<[string, (world: World) => void]>([
    ['it is not there', () => undefined],
    [
      'it is refused',
      ({ management }) =>
        management.on('patch leases/phaseout/phaseout', () => ({
          kind: 'refused',
          code: 403,
          message: 'no',
        })),
    ],
    [
      'its API does not answer',
      ({ management }) =>
        management.on('patch leases/phaseout/phaseout', () => {
          throw new Unavailable('no answer');
        }),
    ],
  ])('%s', async (_what, given) => {
    const world = aWorld();
    given(world);
    await renewOwnLease(world.env, key);
    expect(world.said).toEqual(['Lease of this installation could not be renewed']);
  });
});
