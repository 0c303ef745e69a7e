import { describe, expect, it } from 'vitest';
import { textAt } from '../../shared/dialects/fields.ts';
import { checkpointAnnotation } from '../../shared/machine/checkpoint.ts';
import { type Phase, phases } from '../../shared/machine/phase.ts';
import { type Fleet, resources } from './stage/fleet.ts';
import { besideStories, play, story } from './stage/story.ts';

const group = 'checkpoint';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/x';

function aWorker(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.pods('web', 2, 'node-1', { stopSeconds: 10 });
}

const checkpointOf = (fleet: Fleet, name: string): string =>
  fleet.machine(name)?.metadata.annotations?.[checkpointAnnotation] ?? '';

const phaseOf = (fleet: Fleet): string | undefined =>
  textAt(JSON.parse(checkpointOf(fleet, 'worker-1') || '{}'), 'phase');

story(group, 'a checkpoint that is no JSON', {
  thorough: true,
  scene: aWorker,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('the drain has begun', () => checkpointOf(fleet, 'worker-1') !== '');
    fleet.annotate('worker-1', { [checkpointAnnotation]: '{' });
    await fleet.gone('worker-1');
  },
});

story(group, 'a checkpoint of another Machine', {
  scene(fleet) {
    aWorker(fleet);
    fleet.worker('worker-2', {
      infrastructure: { annotations: { 'local.phaseout.dev/never-stops': 'true' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-2');
    const isFar = (): boolean => checkpointOf(fleet, 'worker-2').includes('"phase":"infrastructure"');
    await fleet.until('the other one is far', isFar);
    fleet.annotate('worker-1', { [checkpointAnnotation]: checkpointOf(fleet, 'worker-2') });
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a checkpoint of a version that is not known', {
  scene: aWorker,
  async plot(fleet) {
    fleet.annotate('worker-1', { [checkpointAnnotation]: '{"v":2,"phase":"finalize"}' });
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

/** As after an upgrade that was taken back. Its record of the drain is lost, and phaseout skips and repeats nothing. */
story(group, 'a checkpoint that a later version has written on', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '20' } },
    });
    fleet.pods('web', 2, 'node-1', { stopSeconds: 10 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('the server is waited for', () => phaseOf(fleet) === 'infrastructure');
    const written: object = JSON.parse(checkpointOf(fleet, 'worker-1'));
    fleet.annotate('worker-1', { [checkpointAnnotation]: JSON.stringify({ ...written, later: true }) });
    await fleet.gone('worker-1');
  },
});

/** A hook or a delay that keeps the Machine in a phase long enough. */
function aSlowWorker(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1', {
    metadata: { annotations: { [preDrain]: '', [preTerminate]: '' } },
    infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '20' } },
    bootstrap: {
      annotations: { 'local.phaseout.dev/stop-seconds': '20' },
      finalizers: ['machine.infrastructure.local.phaseout.dev'],
    },
  });
  fleet.volume('data');
  fleet.pod('database', 'node-1', { claim: 'data', stopSeconds: 5 });
}

async function losing(fleet: Fleet, phase: Phase): Promise<void> {
  fleet.delete('worker-1');
  let lost = false;
  const isReached = (): boolean => {
    const machine = fleet.machine('worker-1');
    if (machine === undefined || (phaseOf(fleet) === phase && !lost)) return true;
    const isLate = fleet.clock.now() > Date.parse(machine.metadata.deletionTimestamp ?? '') + 100_000;
    const hooks = Object.fromEntries([preDrain, preTerminate].map((hook) => [hook, null]));
    const isHeld = machine.metadata.annotations?.[preDrain] !== undefined;
    if (isLate && isHeld) fleet.change(resources.machines, 'worker-1', { metadata: { annotations: hooks } });
    return false;
  };
  await fleet.until(`${phase} is reached`, isReached);
  if (fleet.machine('worker-1') !== undefined) fleet.annotate('worker-1', { [checkpointAnnotation]: null });
  lost = true;
  await fleet.until('it is gone', isReached);
}

besideStories(() => {
  describe('a checkpoint that is lost', () => {
    it.each(phases)('in the phase %s does no harm', async (phase) => {
      const { end } = await play({ scene: aSlowWorker, plot: (fleet) => losing(fleet, phase) }, {});
      expect(end).toMatchObject({
        infrastructure: [],
        bootstrap: [],
        pods: [],
        nodes: ['blue-cp-1 false', 'blue-cp-2 false'],
      });
    });
  });
});
