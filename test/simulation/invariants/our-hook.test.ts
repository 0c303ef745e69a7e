import { deletedForMove, ourName, releasedBy } from '../scenario/beside.ts';
import { cordon, evict, nodeOf, removeInfrastructure, save, takeFinalizer } from './asked.ts';
import { beside, handOver, hook, reach, register, secondHook } from './asked-beside.ts';
import { machines } from './built-stage.ts';
import { testsOf } from './cases.ts';
import { lateHooksAreNone } from './late-hooks-are-none.ts';
import { letGoInTime } from './let-go-in-time.ts';
import { nothingAfterHandOver } from './nothing-after-hand-over.ts';
import { onlyWhileHeld } from './only-while-held.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { releasedAreFree } from './released-are-free.ts';
import { releasedGetNoHook } from './released-get-no-hook.ts';
import { serversWaitForUs } from './servers-wait-for-us.ts';
import type { Stage } from './stage.ts';

const done = { drain: 'done', 'volume-detach': 'done' };

/** Cluster API's own controller says that it is so far. */
const says = async (stage: Stage, reason: string): Promise<void> => {
  const lastTransitionTime = new Date(stage.world.now()).toISOString();
  const conditions = [{ type: 'Deleting', status: 'True', reason, message: '', lastTransitionTime }];
  stage.world.management.patch(machines, stage.machine(), { status: { conditions } }, 'status');
  await stage.pass();
};

/** Nothing happens for so many seconds but that ticks come. */
async function staysHeld(stage: Stage, seconds: number): Promise<void> {
  beside(stage);
  stage.observer.calm?.();
  stage.world.management.remove(machines, { metadata: { namespace: 'fleet', name: 'cp' } });
  stage.tell('dev.knative.sources.ping', 'first', {});
  await stage.pass(seconds * 1_000);
  stage.tell('dev.knative.sources.ping', 'later', {});
}

/** Our hook goes, and who did so drains on. */
async function drainsOn(stage: Stage, instance: string): Promise<void> {
  reach(stage, done);
  stage.look(instance);
  handOver(stage);
  await stage.pass(5);
  stage.ask({ instance, ...cordon(nodeOf(stage)) });
}

const mark = (stage: Stage, annotation: string): void =>
  stage.patchMachine({ metadata: { annotations: { [annotation]: '' } } });

/** It was let go long ago, and has our hook again. */
async function worksOnBroughtBack(stage: Stage, work: () => void): Promise<void> {
  reach(stage, done);
  handOver(stage);
  await stage.pass(10_000);
  hook(stage, ourName);
  stage.look();
  work();
}

testsOf([
  {
    about: 'a Pod of a Machine with our hook goes',
    invariant: onlyWhileHeld,
    before: (stage) => beside(stage),
    act: (stage) => stage.ask(evict(stage.pod('web'))),
  },
  {
    about: 'a Pod of a Machine goes whose hook was taken off long before',
    invariant: onlyWhileHeld,
    async before(stage) {
      beside(stage);
      hook(stage, null);
      await stage.pass(5_000);
    },
    act: (stage) => stage.ask(evict(stage.pod('web'))),
    cries: 'instance-1 evicts Pod shop/web in blue: our hook is not on its Machine',
  },
  {
    about: 'a Pod goes where phaseout takes the place of the controller',
    invariant: onlyWhileHeld,
    act: (stage) => stage.ask(evict(stage.pod('web'))),
  },
  {
    about: 'the instance that has handed the Machine over cordons its Node',
    invariant: onlyWhileHeld,
    act: (stage) => drainsOn(stage, 'instance-1'),
    cries: 'instance-1 cordons Node node-1 in blue: this instance has handed the Machine over before',
  },
  {
    about: 'another instance cordons its Node that has not heard of it',
    invariant: onlyWhileHeld,
    act: (stage) => drainsOn(stage, 'instance-2'),
  },
  {
    about: 'an instance deletes the server',
    invariant: onlyWhileHeld,
    before: (stage) => beside(stage),
    act: (stage) => stage.ask(removeInfrastructure(stage)),
    cries:
      "instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): that is for the API's own controllers",
  },
  {
    about: 'an instance takes the finalizer',
    invariant: onlyWhileHeld,
    before: (stage) => beside(stage),
    act: (stage) => stage.ask(takeFinalizer(stage)),
    cries: "instance-1 takes the finalizer off Machine fleet/m1: that is for the API's own controllers",
  },
  {
    about: 'the hook goes as it is let go',
    invariant: releasedAreFree,
    async act(stage) {
      reach(stage, done);
      handOver(stage);
      await stage.pass();
      stage.observer.stoodStill?.();
    },
  },
  {
    about: 'it is let go, and the hook stays',
    invariant: releasedAreFree,
    async act(stage) {
      beside(stage);
      save(stage, { phase: 'hand-over', released: '2026-01-01T00:00:00Z' });
      await stage.pass();
    },
    cries: 'Machine fleet/m1 was let go, and has our hook still',
  },
  {
    about: 'somebody puts it back for good',
    invariant: releasedAreFree,
    async act(stage) {
      reach(stage, done);
      handOver(stage);
      await stage.pass();
      hook(stage, ourName);
      await stage.pass();
      stage.observer.stoodStill?.();
    },
    cries: 'Machine fleet/m1 was let go at 2026-01-01T00:00:00.000Z, and has our hook still',
  },
  {
    about: 'its Node is cordoned once more, and our hook is back',
    invariant: nothingAfterHandOver,
    act: (stage) => worksOnBroughtBack(stage, () => stage.ask(cordon(nodeOf(stage)))),
    cries: 'instance-1 cordons Node node-1 in blue: its checkpoint says that it was let go',
  },
  {
    about: 'its drain begins once more, and our hook is back',
    invariant: nothingAfterHandOver,
    act: (stage) => worksOnBroughtBack(stage, () => save(stage, { seq: 5, phase: 'drain' })),
    cries: 'instance-1 writes the checkpoint of Machine fleet/m1: its checkpoint says that it was let go',
  },
  {
    about: 'what its checkpoint says is written once more, and our hook is back',
    invariant: nothingAfterHandOver,
    act: (stage) =>
      worksOnBroughtBack(stage, () =>
        save(stage, { seq: 4, phase: 'hand-over', passed: done, released: '2026-01-01T00:00:00Z' }),
      ),
  },
  {
    about: 'our hook is back, and goes again',
    invariant: nothingAfterHandOver,
    act: (stage) => worksOnBroughtBack(stage, () => handOver(stage)),
  },
  {
    about: 'an instance cordons its Node that read it before it was let go',
    invariant: nothingAfterHandOver,
    async act(stage) {
      reach(stage, done);
      stage.look('instance-2');
      await stage.pass(5);
      handOver(stage);
      stage.ask({ instance: 'instance-2', ...cordon(nodeOf(stage)) });
    },
  },
  {
    about: 'somebody puts it back, and its Cluster is missing',
    invariant: releasedAreFree,
    async act(stage) {
      reach(stage, done);
      handOver(stage);
      await stage.pass();
      hook(stage, ourName);
      const named = { metadata: { namespace: 'fleet', name: 'blue' } };
      stage.world.management.remove('clusters.cluster.x-k8s.io', named);
      await stage.pass();
      stage.observer.stoodStill?.();
    },
  },
  {
    about: 'the last of the control plane has gone, for long',
    invariant: letGoInTime,
    act: (stage) => staysHeld(stage, 300),
    cries: 'Machine fleet/m1 is held for 300 s for nothing',
  },
  {
    about: 'the last of the control plane has just gone',
    invariant: letGoInTime,
    act: (stage) => staysHeld(stage, 100),
  },
  {
    about: 'its second hook waits for that of another',
    invariant: letGoInTime,
    async act(stage) {
      const other = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/inventory';
      secondHook(stage, ourName);
      stage.patchMachine({ metadata: { annotations: { [other]: 'somebody' } } });
      beside(stage);
      stage.observer.calm?.();
      hook(stage, null);
      stage.world.management.remove(machines, { metadata: { namespace: 'fleet', name: 'cp' } });
      stage.tell('dev.knative.sources.ping', 'first', {});
      await stage.pass(300_000);
      stage.tell('dev.knative.sources.ping', 'later', {});
    },
  },
  {
    about: 'it is paused',
    invariant: letGoInTime,
    async act(stage) {
      stage.patchMachine({ metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
      await staysHeld(stage, 300);
    },
  },
  {
    about: 'the server goes with our hook on',
    invariant: serversWaitForUs,
    async act(stage) {
      beside(stage);
      await says(stage, 'WaitingForInfrastructureDeletion');
    },
    cries: 'that of Machine fleet/m1 goes',
  },
  {
    about: 'our hook comes while the server goes',
    invariant: serversWaitForUs,
    async act(stage) {
      beside(stage);
      hook(stage, null);
      await says(stage, 'WaitingForInfrastructureDeletion');
      hook(stage, ourName);
      await stage.pass();
    },
  },
  {
    about: 'the server of the last Machine goes that has no control plane any more',
    invariant: serversWaitForUs,
    async act(stage) {
      beside(stage);
      stage.world.management.remove(machines, { metadata: { namespace: 'fleet', name: 'cp' } });
      await says(stage, 'WaitingForInfrastructureDeletion');
    },
  },
  {
    about: 'a Machine that lives gets it',
    invariant: lateHooksAreNone,
    act: (stage) => stage.ask(register('m2')),
  },
  {
    about: 'a Machine that goes gets it',
    invariant: lateHooksAreNone,
    act: (stage) => stage.ask(register('m1')),
    cries: 'instance-1 puts our hook on Machine fleet/m1',
  },
  {
    about: 'a Machine gets it that a person has released',
    invariant: releasedGetNoHook,
    before: (stage) => mark(stage, releasedBy),
    act: (stage) => stage.ask(register('m1')),
    cries: 'instance-1 puts our hook on Machine fleet/m1',
  },
  {
    about: 'a Machine gets it that is moved',
    invariant: releasedGetNoHook,
    before: (stage) => mark(stage, deletedForMove),
    act: (stage) => stage.ask(register('m1')),
    cries: 'instance-1 puts our hook on Machine fleet/m1',
  },
  {
    about: 'a Machine gets it that was released since it was read',
    invariant: releasedGetNoHook,
    before: (stage) => mark(stage, releasedBy),
    act: (stage) => stage.ask(register('m1'), undefined, 409),
  },
  {
    about: 'the Node of a Machine is cordoned that has long been marked as moved',
    invariant: pausedIsLeftAlone,
    async before(stage) {
      beside(stage);
      mark(stage, deletedForMove);
      await stage.pass(30_000);
      stage.look();
    },
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
    cries: 'instance-1 cordons Node node-1 in blue: its Machine is to be left alone, it is moved elsewhere',
  },
  {
    about: 'the server refuses it',
    invariant: lateHooksAreNone,
    act: (stage) => stage.ask(register('m1'), undefined, 409),
  },
]);
