import { describe, expect, it } from 'vitest';
import { machines, OriginalFleet } from '../stories/stage/v1alpha1.ts';
import { closesStages, tookOver, writesOf } from './midway.ts';
import { accepts, deleting, living, type Pass } from './v1alpha1-passes.ts';

closesStages();

async function played({ machine = {}, parts, scene, provider = accepts, ...pass }: Pass) {
  const fleet = new OriginalFleet({}, parts);
  const did = await tookOver(
    fleet,
    () => {
      const members = 'members' in pass ? pass.members : 2;
      if (members !== undefined) fleet.cluster('blue', members);
      fleet.machineThatRuns('worker-1', machine);
      scene?.(fleet);
      fleet.provider.answers(provider);
      if (pass.fail !== undefined) fleet.fail(pass.fail);
      fleet.delete('worker-1');
    },
    pass.seconds ?? 1,
  );
  return { fleet, did };
}

describe('the original controller would delete it so', () => {
  it.each(Object.entries(deleting))('%s', async (_title, pass) => {
    expect((await played(pass)).did).toStrictEqual(pass.expected);
  });

  it('4. leaves a Machine alone that it has let go of', async () => {
    const fleet = new OriginalFleet({});
    const did = await tookOver(fleet, () => {
      fleet.cluster('blue', 0);
      fleet.machineThatRuns('worker-1');
      fleet.change(machines, 'worker-1', { metadata: { finalizers: ['example.com/audit'] } });
      fleet.delete('worker-1');
    });
    expect(did).toStrictEqual([]);
    expect(writesOf(fleet)).toStrictEqual([]);
  });

  it('4. refuses to delete its own Machine without writing to it, and tells so once', async () => {
    const { fleet } = await played({ parts: { ownNode: 'node-1' }, members: 0, seconds: 590, expected: [] });
    expect(writesOf(fleet)).toStrictEqual(['create /api/v1/namespaces/fleet/events']);
  });
});

describe('the original controller would keep it so', () => {
  it.each(Object.entries(living))('%s', async (_title, { scene, seconds = 1, expected }) => {
    const fleet = new OriginalFleet({});
    expect(await tookOver(fleet, scene, seconds)).toEqual(expected);
  });

  it('8. a Machine with a server is updated, and what is reported is written once', async () => {
    const fleet = new OriginalFleet({});
    await tookOver(fleet, () => fleet.cluster('blue', 1), 3_600);
    expect(fleet.calls).toBeGreaterThan(10);
    expect(writesOf(fleet)).toStrictEqual([
      'patch /apis/cluster.k8s.io/v1alpha1/namespaces/fleet/machines/blue-cp-1/status',
    ]);
  });
});
