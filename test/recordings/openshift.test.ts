import { describe, expect, it } from 'vitest';
import { recordAt } from '../../shared/dialects/fields.ts';
import { machines, OpenShiftFleet } from '../stories/stage/openshift.ts';
import { closesStages, tookOver, writesOf } from './midway.ts';
import {
  drainController,
  heldAtTermination,
  isDrained,
  machineController,
  type Pass,
} from './openshift-passes.ts';

closesStages();

async function played({ machine, parts, pods = [], untouched = [], ...pass }: Pass) {
  const fleet = new OpenShiftFleet({}, parts);
  const did = await tookOver(
    fleet,
    () => {
      fleet.machineThatRuns('worker-1', machine);
      for (const name of pods) fleet.pod(name, 'node-1');
      for (const name of untouched) fleet.pod(name, 'node-1', { stays: true });
      if (pass.provider !== undefined) fleet.provider.answers(pass.provider);
      if (pass.fail !== undefined) fleet.fail(pass.fail);
      if (pass.isDeleted !== false) fleet.delete('worker-1');
    },
    pass.seconds ?? 10,
  );
  return { fleet, did };
}

describe("OpenShift's machine controller would do the same", () => {
  it.each(Object.entries(machineController))('%s', async (_title, pass) => {
    expect((await played(pass)).did).toStrictEqual(pass.expected);
  });

  it('3. adds its finalizer to a Machine that lives, and does no more', async () => {
    const fleet = new OpenShiftFleet({});
    const did = await tookOver(fleet, () => {
      fleet.machineThatRuns('worker-1');
      fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
    });
    expect(did).toStrictEqual(['worker-1: finalizers machine.machine.openshift.io']);
    expect(writesOf(fleet)).toHaveLength(1);
  });

  it('5. leaves a Machine alone that it has let go of', async () => {
    const fleet = new OpenShiftFleet({});
    const did = await tookOver(fleet, () => {
      fleet.machineThatRuns('worker-1', { status: isDrained });
      fleet.change(machines, 'worker-1', { metadata: { finalizers: ['example.com/audit'] } });
      fleet.delete('worker-1');
    });
    expect(did).toStrictEqual([]);
    expect(writesOf(fleet)).toStrictEqual([]);
  });

  it('writes nothing but its own checkpoint while it waits, and nothing again', async () => {
    const { fleet } = await played(
      machineController['7. a Machine that is held at its termination stays as it is']!,
    );
    expect(writesOf(fleet)).toStrictEqual([
      'patch /apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machines/worker-1',
    ]);
  });

  it('leaves what others say, and when, as it was', async () => {
    const { fleet } = await played(
      machineController['7. a Machine that is held at its termination stays as it is']!,
    );
    const status = recordAt(fleet.machine('worker-1'), 'status');
    expect(status['conditions']).toStrictEqual(heldAtTermination.conditions);
    expect(status['lastUpdated']).toBe('2025-12-31T23:00:00Z');
    expect(status['providerStatus']).toStrictEqual({ instanceState: 'running' });
  });
});

describe("OpenShift's drain controller would do the same", () => {
  it.each(Object.entries(drainController))('%s', async (_title, pass) => {
    expect((await played(pass)).did).toStrictEqual(pass.expected);
  });
});
