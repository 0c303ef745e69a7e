import { askedOn, hooksAnnotation, serializeAsked, withPassed } from '../../shared/hooks/asked.ts';
import type { HookAnswer } from '../../shared/machine/hook-call.ts';
import type { Fleet } from './stage/fleet.ts';
import { hookDefinitions, triggerDefinition } from './stage/hook-definitions.ts';
import { story } from './stage/story.ts';

const group = 'hook-functions';
const beside = hookDefinitions;
const paused = 'cluster.x-k8s.io/paused';

const done = { state: 'Done', message: 'all moved' } as const satisfies Omit<HookAnswer, 'answerTo'>;

function aWorkerWithAPod(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1', { metadata: { labels: { pool: 'storage', rack: 'b4' } } });
  fleet.pod('web', 'node-1');
}

const annotationsOf = (fleet: Fleet): Record<string, string> =>
  fleet.machine('worker-1')?.metadata.annotations ?? {};

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a function is asked before the drain, and is done at its third call', {
  beside,
  thorough: true,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    const machines = [{ selector: { matchLabels: { pool: 'storage' } } }];
    fleet.deletionHook('move-data', { at: 'PreDrain', machines, send: { labels: ['rack'] } });
    fleet.hookFunctions.serve('move-data', ({ attempt }) =>
      attempt < 3 ? { state: 'Working', message: 'moving 3 volumes' } : done,
    );
  },
  plot: goes,
});

story(group, 'functions before the drain and before the server goes, by their order', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('second', { at: 'PreDrain', order: 10 });
    fleet.deletionHook('first-a', { at: 'PreDrain', order: -1 });
    fleet.deletionHook('first-b', { at: 'PreDrain', order: -1 });
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
    for (const name of ['second', 'first-a', 'wipe']) fleet.hookFunctions.serve(name, () => done);
    fleet.hookFunctions.serve('first-b', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
  },
  plot: goes,
});

story(group, 'a Machine that needs no drain waits for the only function, before its server goes', {
  beside,
  scene(fleet) {
    fleet.cluster();
    const annotations = {
      'machine.cluster.x-k8s.io/exclude-node-draining': '',
      'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
    };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
    fleet.hookFunctions.serve('wipe', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
  },
  plot: goes,
});

story(group, 'a function that fails holds the Machine, is asked again, and is done then', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('wipe', { at: 'PreTerminate', contact: '#storage-oncall' });
    fleet.hookFunctions.serve('wipe', ({ attempt }) =>
      attempt < 3 ? { state: 'Failed', message: 'disk 4 is busy' } : done,
    );
  },
  plot: goes,
});

story(group, 'a silent function that comes back', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    const help = { contact: '#storage-oncall', runbook: 'https://example.test/move-data' };
    fleet.deletionHook('move-data', { at: 'PreDrain', every: '1m', silentAfter: '2m', ...help });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.hookFunctions.serve('move-data', () => done);
    await fleet.gone('worker-1');
  },
});

story(group, 'a silent function to which no Trigger brings its calls, until one does', {
  beside: [...beside, triggerDefinition],
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain', silentAfter: '1m', contact: '#storage-oncall' });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('its Trigger is made');
    const type = 'dev.phaseout.hook.call.v1';
    fleet.create('triggers.eventing.knative.dev', {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Trigger',
      metadata: { name: 'move-data', namespace: 'fleet' },
      spec: { broker: 'phaseout', filter: { attributes: { type, hook: 'fleet/move-data' } } },
    });
    fleet.hookFunctions.serve('move-data', () => done);
    await fleet.gone('worker-1');
  },
});

story(group, 'a time limit that lets the Machine go on', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain', timeout: '2m', onTimeout: 'Proceed' });
    fleet.hookFunctions.serve('move-data', () => ({ state: 'Working', message: 'moving 3 volumes' }));
  },
  plot: goes,
});

story(group, 'a time limit that holds the Machine', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    const limit = { timeout: '1m', onTimeout: 'Hold', contact: '#storage-oncall' };
    fleet.deletionHook('move-data', { at: 'PreDrain', ...limit });
    fleet.hookFunctions.serve('move-data', () => ({ state: 'Working', message: 'moving 3 volumes' }));
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(150);
    fleet.hookFunctions.serve('move-data', () => done);
    await fleet.gone('worker-1');
  },
});

story(group, 'time paused is no part of a time limit', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain', timeout: '5m', onTimeout: 'Proceed' });
    fleet.hookFunctions.serve('move-data', () => ({ state: 'Working' }));
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(60);
    fleet.annotate('worker-1', { [paused]: '' });
    await fleet.seconds(600);
    fleet.annotate('worker-1', { [paused]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a time limit that ends in a pause in which the record of the calls is lost', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain', timeout: '5m', onTimeout: 'Proceed' });
    fleet.hookFunctions.serve('move-data', () => ({ state: 'Working' }));
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(60);
    fleet.annotate('worker-1', { [paused]: '' });
    await fleet.seconds(600);
    fleet.told.say('the store loses all it has, and all instances are replaced');
    fleet.stored.lose();
    fleet.restart();
    fleet.annotate('worker-1', { [paused]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'what is no answer of the present turn counts for nothing', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain' });
    const { hookFunctions } = fleet;
    hookFunctions.serve('move-data', (call) => {
      if (call.attempt === 1) return hookFunctions.answer({ ...call, answerTo: 'forged.token' }, done);
      if (call.attempt === 2) return { headers: { 'ce-type': 'dev.example.done.v1' }, body: '{}' };
      if (call.attempt === 3) {
        const answer = hookFunctions.answer(call, done);
        return { ...answer, body: answer.body.replace('Done', 'done') };
      }
      return call.attempt === 4 ? undefined : done;
    });
  },
  plot: goes,
});

story(group, 'a DeletionHook that is deleted in its turn is waited for all the same', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain' });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(50);
    fleet.told.say('somebody deletes the DeletionHook');
    const metadata = { name: 'move-data', namespace: 'fleet' };
    fleet.server.cluster.remove('deletionhooks.phaseout.dev', { metadata });
    await fleet.seconds(50);
    fleet.hookFunctions.serve('move-data', () => done);
    await fleet.gone('worker-1');
  },
});

story(group, 'a Cluster that is being deleted passes hooks over, unless they hold', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain' });
    fleet.deletionHook('unmount', { at: 'PreTerminate' });
    fleet.deletionHook('wipe', { at: 'PreTerminate', onClusterDeletion: 'Hold' });
    fleet.hookFunctions.serve('wipe', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { metadata: { finalizers: ['x.example/keep'] } });
  },
  async plot(fleet) {
    fleet.server.cluster.remove('clusters.cluster.x-k8s.io', {
      metadata: { name: 'blue', namespace: 'fleet' },
    });
    await goes(fleet);
  },
});

story(group, 'without the key of tokens a hook holds its Machines and says so', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain' });
    fleet.server.cluster.remove('secrets', { metadata: { name: 'hook-key', namespace: 'fleet' } });
    fleet.hookFunctions.serve('move-data', () => done);
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(90);
    fleet.told.say('the Secret is there');
    fleet.deletionHookKey();
    await fleet.gone('worker-1');
  },
});

story(group, 'a person lets the Machine go on without a function', {
  beside,
  scene(fleet) {
    aWorkerWithAPod(fleet);
    fleet.deletionHook('move-data', { at: 'PreDrain' });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('its function is asked', () => hooksAnnotation in annotationsOf(fleet));
    await fleet.seconds(50);
    fleet.told.say('somebody passes it');
    const { annotations = {}, uid = '' } = fleet.machine('worker-1')!.metadata;
    const hooks = askedOn({
      annotations,
      ref: { apiVersion: '', namespace: 'fleet', name: 'worker-1', uid },
    });
    const at = new Date(fleet.clock.now()).toISOString();
    const passed = withPassed(hooks, 'move-data', { by: 'kim', why: 'the disk is lost', at }) ?? [];
    const text = serializeAsked(uid, passed);
    fleet.change('machines.cluster.x-k8s.io', 'worker-1', {
      metadata: { annotations: { [hooksAnnotation]: text } },
    });
    await fleet.gone('worker-1');
    const history = await fleet.stored.inner.history(uid);
    for (const { reason, message } of history.filter((entry) => entry.reason === 'Passed'))
      fleet.told.say(`the history says ${reason}: ${message}`);
  },
});
