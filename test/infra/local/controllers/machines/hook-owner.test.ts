import { afterEach, describe, expect, it } from 'vitest';
import { aDefinition, aPlatform, meta, type Platform } from '../platform.ts';
import { aFleet, anOpenShiftMachine } from './fleet.ts';

const machines = 'machines.cluster.x-k8s.io';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

describe('the example hook owner', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const hooks = () => Object.keys(platform.get(machines, 'm')!.metadata.annotations ?? {}).toSorted();

  async function aMachine(annotations: Record<string, string>, isDeleting = true) {
    platform = aPlatform({ hookSeconds: 2 });
    const definition = aDefinition('cluster.x-k8s.io', 'Machine');
    platform.create('customresourcedefinitions.apiextensions.k8s.io', definition);
    const apiVersion = 'cluster.x-k8s.io/v1beta2';
    const metadata = meta('m', { annotations, finalizers: ['example.com/held'] });
    platform.create(machines, { apiVersion, kind: 'Machine', metadata });
    if (isDeleting) platform.remove(machines, 'm');
    await platform.seconds(10);
  }

  function say(reason: string) {
    platform.patch(
      machines,
      'm',
      { status: { conditions: [{ type: 'Deleting', status: 'True', reason }] } },
      'status',
    );
  }

  const both = { [`${preDrain}/backup`]: 'local-hook-owner', [`${preTerminate}/disks`]: 'local-hook-owner' };

  it('removes each hook a while after the Machine says that it waits for it', async () => {
    await aMachine(both);
    expect(hooks()).toEqual([`${preDrain}/backup`, `${preTerminate}/disks`]);

    say('WaitingForPreDrainHook');
    await platform.seconds(1.9);
    expect(hooks()).toEqual([`${preDrain}/backup`, `${preTerminate}/disks`]);
    await platform.seconds(0.1);
    expect(hooks()).toEqual([`${preTerminate}/disks`]);

    say('DrainingNode');
    await platform.seconds(60);
    expect(hooks()).toEqual([`${preTerminate}/disks`]);

    say('WaitingForPreTerminateHook');
    await platform.seconds(1.9);
    expect(hooks()).toEqual([`${preTerminate}/disks`]);
    await platform.seconds(0.1);
    expect(hooks()).toEqual([]);
  });

  it('leaves the hooks of others alone', async () => {
    await aMachine({ [`${preDrain}/theirs`]: 'somebody', [`${preDrain}-custom/ours`]: 'local-hook-owner' });
    say('WaitingForPreDrainHook');
    await platform.seconds(60);
    expect(hooks()).toEqual([`${preDrain}/theirs`]);
  });

  it('does nothing for a Machine that is not being deleted', async () => {
    await aMachine(both, false);
    say('WaitingForPreDrainHook');
    await platform.seconds(60);
    expect(hooks()).toHaveLength(2);
  });
});

const ours = (name: string) => ({ name, owner: 'local-hook-owner' });

describe('the example hook owner of OpenShift', () => {
  const resource = 'machines.machine.openshift.io';
  const theirs = { name: 'theirs', owner: 'somebody' };
  const lifecycleHooks = { preDrain: [ours('backup'), theirs], preTerminate: [ours('disks')] };

  let platform: Platform;
  afterEach(() => platform.stop());

  const hooks = () => platform.get(resource, 'm')!.spec?.lifecycleHooks;

  function aMachine() {
    platform = aFleet({ loaded: [anOpenShiftMachine('m', { spec: { lifecycleHooks } })], hookSeconds: 2 });
  }

  it('leaves a living Machine its hooks', async () => {
    aMachine();
    await platform.seconds(60);
    expect(hooks()).toEqual(lifecycleHooks);
  });

  it('takes no hook of others away that has come meanwhile', async () => {
    aMachine();
    const late = { name: 'late', owner: 'somebody' };
    const changed = { lifecycleHooks: { preDrain: [ours('backup'), theirs, late] } };
    platform.remove(resource, 'm');
    const write = () => platform.patch(resource, 'm', { spec: changed });
    platform.forestall((patch) => JSON.stringify(patch).includes('lifecycleHooks'), write);
    await platform.seconds(10);
    expect(hooks()?.preDrain).toEqual([theirs, late]);
  });

  it('removes its own hooks, those before the drain at first and the others after it', async () => {
    aMachine();
    platform.remove(resource, 'm');
    await platform.seconds(1.9);
    expect(hooks()).toEqual(lifecycleHooks);
    await platform.seconds(0.2);
    expect(hooks()).toEqual({ preDrain: [theirs], preTerminate: [ours('disks')] });

    await platform.seconds(60);
    expect(hooks()).toEqual({ preDrain: [theirs], preTerminate: [ours('disks')] });
    const conditions = [{ type: 'Drained', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    platform.patch(resource, 'm', { status: { conditions } }, 'status');
    await platform.seconds(1.9);
    expect(hooks()).toEqual({ preDrain: [theirs], preTerminate: [ours('disks')] });
    await platform.seconds(0.2);
    expect(hooks()).toEqual({ preDrain: [theirs] });
  });
});
