import { afterEach, describe, expect, it } from 'vitest';
import { aDefinition, aPlatform, meta, type Platform } from './platform.ts';

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
