import type { BesideFleet } from '../stage/beside/fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/pre-terminate';
const beside = hookDefinitions;
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

const done = { state: 'Done', message: 'wiped' } as const;

function aWorker(fleet: BesideFleet, annotations: Record<string, string> = {}): void {
  fleet.cluster();
  fleet.heldToTheEnd('worker-1', { metadata: { annotations } });
  fleet.pod('web', 'node-1');
  fleet.deletionHook('wipe', { at: 'PreTerminate' });
  fleet.hookFunctions.serve('wipe', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
}

const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a function is asked once the drain of the peer is over, and before the server goes', {
  beside,
  thorough: true,
  scene: (fleet) => aWorker(fleet),
  plot: goes,
});

story(group, 'functions are asked by their order, those before the drain first', {
  beside,
  scene(fleet) {
    aWorker(fleet);
    fleet.deletionHook('move', { at: 'PreDrain' });
    fleet.deletionHook('last', { at: 'PreTerminate', order: 5 });
    for (const name of ['move', 'last']) fleet.hookFunctions.serve(name, () => done);
  },
  plot: goes,
});

story(group, 'functions are asked after the hooks of others, but for that of KubeadmControlPlane', {
  beside,
  scene: (fleet) => aWorker(fleet, { [`${preTerminate}/backup`]: 'x', [`${preTerminate}/kcp-cleanup`]: '' }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(50);
    fleet.annotate('worker-1', { [`${preTerminate}/backup`]: null });
    await fleet.until('our hook is off', () => !fleet.isHeldToTheEnd('worker-1'));
    fleet.annotate('worker-1', { [`${preTerminate}/kcp-cleanup`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'functions do not wait for the hook of RKE2ControlPlane, which waits until no other is left', {
  beside,
  scene: (fleet) => aWorker(fleet, { [`${preTerminate}/rke2-cleanup`]: '' }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('our hook is off', () => !fleet.isHeldToTheEnd('worker-1'));
    fleet.annotate('worker-1', { [`${preTerminate}/rke2-cleanup`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'the DeletionHook is deleted before its place is reached, and nothing is asked', {
  beside,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    const metadata = { name: 'wipe', namespace: 'fleet' };
    fleet.server.cluster.remove('deletionhooks.phaseout.dev', { metadata });
    await goes(fleet);
  },
});

story(group, 'all instances are replaced while the function is at work', {
  beside,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('all instances are replaced');
    fleet.restart();
    await fleet.gone('worker-1');
  },
});

story(group, 'the Cluster is being deleted, and its Machines hold for a function that says so', {
  beside,
  scene(fleet) {
    aWorker(fleet);
    fleet.deletionHook('keep', { at: 'PreTerminate', onClusterDeletion: 'Hold' });
    fleet.hookFunctions.serve('keep', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { metadata: { finalizers: ['x.example/keep'] } });
  },
  async plot(fleet) {
    const metadata = { name: 'blue', namespace: 'fleet' };
    fleet.server.cluster.remove('clusters.cluster.x-k8s.io', { metadata });
    await goes(fleet);
  },
});

story(group, 'somebody takes the hook before the drain off, and the function is asked all the same', {
  beside,
  scene(fleet) {
    aWorker(fleet);
    fleet.pod('slow', 'node-1', { finalizers: ['example.com/keep'] });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('somebody takes the hook before the drain off');
    fleet.annotate('worker-1', { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': null });
    await fleet.seconds(10);
    const slow = { metadata: { name: 'slow', namespace: 'shop' } };
    fleet.server.cluster.patch('pods', slow, { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'only the hook before the end of the server is on it', {
  beside,
  scene: (fleet) =>
    aWorker(fleet, { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': 'somebody else' }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(5);
    fleet.annotate('worker-1', { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a living Machine gets the hook with its first event, and loses it once nothing asks for it', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.deletionHook('wipe', {
      at: 'PreTerminate',
      machines: [{ selector: { matchLabels: { pool: 'a' } } }],
    });
    fleet.hookFunctions.serve('wipe', () => done);
  },
  async plot(fleet) {
    fleet.worker('worker-1', { metadata: { labels: { pool: 'a' } } });
    fleet.worker('worker-2', { metadata: { labels: { pool: 'b' } } });
    await fleet.until('worker-1 has it', () => fleet.isHeldToTheEnd('worker-1'));
    await fleet.seconds(5);
    fleet.told.say(`worker-2 has it: ${fleet.isHeldToTheEnd('worker-2')}`);
    fleet.told.say('somebody gives worker-2 the label');
    fleet.change('machines.cluster.x-k8s.io', 'worker-2', { metadata: { labels: { pool: 'a' } } });
    await fleet.until('worker-2 has it', () => fleet.isHeldToTheEnd('worker-2'));
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    fleet.told.say('somebody deletes the DeletionHook');
    const metadata = { name: 'wipe', namespace: 'fleet' };
    fleet.server.cluster.remove('deletionhooks.phaseout.dev', { metadata });
    await fleet.until('worker-2 has it no more', () => !fleet.isHeldToTheEnd('worker-2'));
  },
});

story(group, 'the labels of a Cluster select its Machines', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    const machines = [{ clusterSelector: { matchLabels: { tier: 'gold' } } }];
    fleet.deletionHook('wipe', { at: 'PreTerminate', machines });
    fleet.hookFunctions.serve('wipe', () => done);
  },
  async plot(fleet) {
    await fleet.seconds(70);
    fleet.told.say(`worker-1 has it: ${fleet.isHeldToTheEnd('worker-1')}`);
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { metadata: { labels: { tier: 'gold' } } });
    await fleet.until('worker-1 has it', () => fleet.isHeldToTheEnd('worker-1'));
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a DeletionHook that comes while the Machine is drained asks nothing, and that is said', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('slow', 'node-1', { finalizers: ['example.com/keep'] });
    fleet.hookFunctions.serve('wipe', () => done);
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('the DeletionHook comes');
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
    await fleet.seconds(90);
    const slow = { metadata: { name: 'slow', namespace: 'shop' } };
    fleet.server.cluster.patch('pods', slow, { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a deletion that began without any hook of ours says both', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
    fleet.server.cluster.remove('machines.cluster.x-k8s.io', {
      metadata: { name: 'worker-1', namespace: 'fleet' },
    });
  },
  plot: (fleet) => fleet.gone('worker-1'),
});

story(group, 'a hook before the end of the server that others take off twice is left off', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.heldToTheEnd('worker-1');
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
  },
  async plot(fleet) {
    fleet.annotate('worker-1', { [`${preTerminate}/phaseout`]: null });
    await fleet.until('it is back', () => fleet.isHeldToTheEnd('worker-1'));
    fleet.annotate('worker-1', { [`${preTerminate}/phaseout`]: null });
    await fleet.seconds(130);
    fleet.told.say(`worker-1 has it: ${fleet.isHeldToTheEnd('worker-1')}`);
  },
});

story(group, 'DeletionHooks that cannot be listed change no hook', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.heldToTheEnd('worker-1');
    fleet.held('worker-2');
    fleet.deletionHook('wipe', {
      at: 'PreTerminate',
      machines: [{ selector: { matchLabels: { pool: 'a' } } }],
    });
    fleet.hookFunctions.serve('wipe', () => done);
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'list' && resource.startsWith('deletionhooks')
        ? { kind: 'answer', code: 503, message: 'no answer' }
        : undefined,
    );
    await fleet.seconds(130);
    fleet.told.say(`worker-1 has it: ${fleet.isHeldToTheEnd('worker-1')}`);
    fleet.told.say('they can be listed');
    end();
    await fleet.until('worker-1 has it no more', () => !fleet.isHeldToTheEnd('worker-1'));
  },
});
