import { expect, test } from 'vitest';
import { ourName } from '../scenario/beside.ts';
import { cordon, evict, nodeOf, save, takeFinalizer } from './asked.ts';
import { handOver, hook, reach } from './asked-beside.ts';
import { machines } from './built-stage.ts';
import { everythingEnds } from './everything-ends.ts';
import { factsAreOfDeletions, oneIdForAFact, savedBeforeTold } from './facts.ts';
import { nothingLeftBehind } from './nothing-left-behind.ts';
import { openStage } from './stage.ts';
import { whoIsHeldSaysWhy } from './who-is-held-says-why.ts';
import { quietIsQuiet, writesChangeSomething } from './writes-change-something.ts';

const advanced = 'dev.phaseout.deletion.advanced.v1';
const held = {
  machine: {
    api: 'capi' as const,
    resource: machines,
    namespace: 'fleet',
    name: 'm1',
    host: 'blue',
    node: 'node-1',
  },
  kind: 'hook',
  what: 'a hook that nobody takes off',
  says: /WaitingForPreDrainHook/,
};

test('one id tells one fact', async () => {
  const stage = await openStage(oneIdForAFact);
  const { uid } = stage.machine().metadata;
  stage.tell(advanced, 'a', { machine: { uid }, seq: 1, as: 'done' });
  stage.tell(advanced, 'a', { machine: { uid }, seq: 1, as: 'done' });
  expect(stage.cries).toEqual([]);
  stage.tell(advanced, 'a', { machine: { uid }, seq: 1, as: 'excluded' });
  expect(stage.cries).toEqual(['a was told with as "done", and is told with as "excluded"']);
});

test('a transition is told under one id', async () => {
  const stage = await openStage(oneIdForAFact);
  stage.tell(advanced, 'a', { machine: { uid: 'u' }, seq: 1 });
  stage.tell(advanced, 'b', { machine: { uid: 'u' }, seq: 2 });
  expect(stage.cries).toEqual([]);
  stage.tell(advanced, 'c', { machine: { uid: 'u' }, seq: 1 });
  expect(stage.cries).toEqual(['deletion.advanced is told as c, and was told as a']);
});

test('a transition is saved before it is told', async () => {
  const stage = await openStage(savedBeforeTold);
  const { uid } = stage.machine().metadata;
  stage.tell(advanced, 'early', { machine: { uid }, seq: 0, phase: 'drain' });
  expect(stage.cries).toEqual(['early is told and was not saved']);
  save(stage, { seq: 0, phase: 'drain' });
  stage.tell(advanced, 'in time', { machine: { uid }, seq: 0, phase: 'drain' });
  expect(stage.cries).toHaveLength(1);
});

test.each([
  ['that is gone as its finalizer is to go', 404, []],
  ['whose finalizer stays', 409, ['passed is told and was not saved']],
])('there is nothing to save a transition on of a Machine %s', async (_which, code, cries) => {
  const stage = await openStage(savedBeforeTold);
  const { uid } = stage.machine().metadata;
  stage.ask(takeFinalizer(stage), () => undefined, code);
  stage.tell(advanced, 'passed', { machine: { uid }, seq: 2, phase: 'finalize' });
  expect(stage.cries).toEqual(cries);
});

test('an eviction is told after it was accepted', async () => {
  const stage = await openStage(savedBeforeTold);
  const pod = stage.pod('a');
  const data = { machine: { uid: stage.machine().metadata.uid }, pod: { uid: pod.metadata.uid } };
  stage.ask(evict(pod), () => undefined, 429);
  stage.tell('dev.phaseout.pod.evicted.v1', 'early', data);
  expect(stage.cries).toEqual(['early is told, and no eviction of this Pod was accepted']);
  stage.ask(evict(pod));
  stage.tell('dev.phaseout.pod.evicted.v1', 'in time', data);
  expect(stage.cries).toHaveLength(1);
});

test('what Cluster API’s own controller evicts may be taken for an eviction of ours that was not told', async () => {
  const stage = await openStage(savedBeforeTold);
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }];
  const pod = stage.pod('a', { status: { conditions } });
  const data = { machine: { uid: stage.machine().metadata.uid }, pod: { uid: pod.metadata.uid } };
  stage.tell('dev.phaseout.pod.evicted.v1', 'in its place', data);
  const mode = { ...stage.world.config.mode, capi: 'beside' as const };
  stage.world.config = { ...stage.world.config, mode };
  stage.tell('dev.phaseout.pod.evicted.v1', 'beside it', data);
  expect(stage.cries).toEqual(['in its place is told, and no eviction of this Pod was accepted']);
});

test('the end of a Machine that was let go is told by the event alone, whoever puts our hook back', async () => {
  const stage = await openStage(savedBeforeTold);
  const data = { machine: { uid: stage.machine().metadata.uid } };
  reach(stage, { drain: 'done', 'volume-detach': 'done' });
  stage.tell('dev.phaseout.deletion.completed.v1', 'early', data);
  expect(stage.cries).toEqual(['early is told, and our finalizer is still on the Machine']);
  handOver(stage);
  hook(stage, ourName);
  stage.tell('dev.phaseout.deletion.completed.v1', 'late', data);
  expect(stage.cries).toHaveLength(1);
});

test('the end is told when our finalizer is off', async () => {
  const stage = await openStage(savedBeforeTold);
  const data = { machine: { uid: stage.machine().metadata.uid } };
  stage.tell('dev.phaseout.deletion.completed.v1', 'early', data);
  expect(stage.cries).toEqual(['early is told, and our finalizer is still on the Machine']);
  stage.patchMachine({ metadata: { finalizers: ['example.com/other'] } });
  stage.tell('dev.phaseout.deletion.completed.v1', 'in time', data);
  expect(stage.cries).toHaveLength(1);
});

test('nothing is told of a Machine that lives', async () => {
  const stage = await openStage(factsAreOfDeletions);
  const living = stage.world.management.get(machines, 'fleet', 'm2');
  stage.tell(advanced, 'a', { machine: { uid: stage.machine().metadata.uid } });
  stage.tell(advanced, 'b', { machine: { uid: living?.metadata.uid } });
  expect(stage.cries).toEqual(['b is told of Machine fleet/m2, which lives']);
});

test('a Machine that nothing holds is gone in time', async () => {
  const free = await openStage(everythingEnds);
  free.observer.stoodStill?.();
  expect(free.cries).toEqual(['still there: Machine fleet/m1']);
});

test('a Machine that a hook holds may stay', async () => {
  const stage = await openStage(everythingEnds, { blockers: () => [held] });
  stage.observer.stoodStill?.();
  expect(stage.cries).toEqual([]);
});

test('a Machine that is held says why', async () => {
  const stage = await openStage(whoIsHeldSaysWhy, { blockers: () => [held] });
  stage.observer.calm?.();
  stage.look();
  await stage.pass(45_000);
  stage.observer.stoodStill?.();
  expect(stage.cries).toEqual([
    'Machine fleet/m1 is held (hook: a hook that nobody takes off), and says only: nothing',
  ]);
  const condition = {
    type: 'Deleting',
    status: 'True',
    reason: 'WaitingForPreDrainHook',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  stage.world.management.patch(machines, stage.machine(), { status: { conditions: [condition] } }, 'status');
  stage.observer.stoodStill?.();
  expect(stage.cries).toHaveLength(1);
});

test('a Machine that was first looked at a moment ago has not failed yet', async () => {
  const stage = await openStage(whoIsHeldSaysWhy, { blockers: () => [held] });
  stage.observer.calm?.();
  await stage.pass(60_000);
  stage.look();
  await stage.pass(44_000);
  stage.look();
  stage.observer.stoodStill?.();
  expect(stage.cries).toEqual([]);
});

test('a Machine that has come to what holds it only a moment ago has not failed yet', async () => {
  const stage = await openStage(whoIsHeldSaysWhy, { blockers: () => [held] });
  stage.observer.calm?.();
  stage.look();
  await stage.pass(60_000);
  save(stage, { phase: 'bootstrap' });
  await stage.pass(44_000);
  save(stage, { phase: 'bootstrap', seq: 1 });
  stage.observer.stoodStill?.();
  expect(stage.cries).toEqual([]);
  await stage.pass(1_000);
  stage.observer.stoodStill?.();
  expect(stage.cries).toHaveLength(1);
});

test('what was sent before it was quiet may arrive at any time', async () => {
  const stage = await openStage(quietIsQuiet);
  const arrive = stage.send(cordon(nodeOf(stage)));
  stage.observer.quiet?.();
  await stage.pass(100_000);
  arrive();
  expect(stage.cries).toEqual([]);
  stage.ask(cordon(nodeOf(stage)));
  expect(stage.cries).toEqual(['instance-1 cordons Node node-1 in blue']);
});

test('the Node of a Machine that lives is not left cordoned', async () => {
  const stage = await openStage(nothingLeftBehind);
  const node = nodeOf(stage, 'node-2');
  stage.ask(
    cordon(node),
    () => void stage.world.cluster('blue').patch('nodes', node, { spec: { unschedulable: true } }),
  );
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(['Node node-2 is still cordoned, and its Machine fleet/m2 lives']);
});

test.each([
  ['by clocks that are right', 0, ['Lease default/phaseout-control-plane-cordon of blue is held']],
  ['but by a clock that was ahead', 60_000, []],
])('a Lease is not left: %s', async (_how, ahead, cries) => {
  const stage = await openStage(nothingLeftBehind);
  stage.world.begin();
  const [instance] = stage.world.instances();
  instance?.strand.skew(ahead);
  stage.look(instance?.name);
  stage.world.cluster('blue').create('leases.coordination.k8s.io', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'default', name: 'phaseout-control-plane-cordon' },
    spec: { leaseDurationSeconds: 60, renewTime: new Date(stage.world.now()).toISOString() },
  });
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(cries);
});

test('nothing is written when nothing happens', async () => {
  const stage = await openStage(quietIsQuiet);
  stage.ask(takeFinalizer(stage));
  stage.observer.quiet?.();
  stage.look();
  expect(stage.cries).toEqual([]);
  stage.ask(takeFinalizer(stage));
  const { namespace, name, uid } = stage.machine().metadata;
  const involvedObject = { kind: 'Machine', namespace, name, uid };
  const body = { reason: 'Late', message: 'too late', involvedObject };
  stage.ask({ verb: 'create', resource: 'events', namespace: 'fleet', body });
  expect(stage.cries).toEqual([
    'instance-1 takes the finalizer off Machine fleet/m1',
    'instance-1 writes the Event Late about Machine fleet/m1: too late',
  ]);
});

test('an Event may come late of an instance that stood still, and of no other one', async () => {
  const stage = await openStage(quietIsQuiet);
  stage.world.begin();
  const [instance] = stage.world.instances();
  const told = { verb: 'create', resource: 'events', namespace: 'fleet', instance: instance?.name ?? '' };
  stage.observer.quiet?.();
  stage.ask(told);
  expect(stage.cries).toHaveLength(1);
  instance?.strand.pause(1_000);
  stage.ask(told);
  expect(stage.cries).toHaveLength(1);
});

test('a Machine of which no event told gets its finalizer late, and once', async () => {
  const stage = await openStage(quietIsQuiet);
  stage.observer.quiet?.();
  const finalizers = { metadata: { finalizers: ['machine.cluster.x-k8s.io'] } };
  const written = { verb: 'patch', resource: machines, namespace: 'fleet', name: 'm2', body: finalizers };
  stage.ask(written);
  expect(stage.cries).toEqual([]);
  stage.ask(written);
  expect(stage.cries).toEqual(['instance-1 puts the finalizer on Machine fleet/m2']);
});

test.each([
  ['once more by whoever knows that the API does not keep it', true, 1],
  ['once more by whoever never heard that it was in vain', false, 0],
])('a status is written %s', async (_who, isHeard, cries) => {
  const stage = await openStage(writesChangeSomething);
  const body = { status: { deletion: { waitForPreDrainHookStartTime: '2026-01-01T00:00:00Z' } } };
  const written = { verb: 'patch', resource: `${machines}/status`, namespace: 'fleet', name: 'm1', body };
  stage.ask(written, undefined, 200, isHeard);
  expect(stage.cries).toEqual([]);
  stage.ask(written);
  expect(stage.cries).toHaveLength(cries);
});
