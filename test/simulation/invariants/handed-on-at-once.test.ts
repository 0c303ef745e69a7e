import { expect, test } from 'vitest';
import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { save } from './asked.ts';
import { handedOnAtOnce } from './handed-on-at-once.ts';
import { openStage, type Stage } from './stage.ts';

/** It began, and has passed its drain. */
function drained(stage: Stage): void {
  save(stage, { seq: 0, phase: 'drain' });
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } });
}

function advance(stage: Stage, seq: number): CloudEvent {
  const { uid = '' } = stage.machine().metadata;
  const attributes = { id: 'advance', type: 'dev.phaseout.deletion.advance.v1', partitionkey: uid };
  return { attributes, data: Buffer.from(JSON.stringify({ seq })) };
}

const ask = (stage: Stage, seq: number): void => stage.observer.event?.(advance(stage, seq));

const late = 'Machine fleet/m1 comes to volume-detach, and is asked for after 20 s';

test('a phase that the sweep asks for is late', async () => {
  const stage = await openStage(handedOnAtOnce);
  drained(stage);
  await stage.pass(20_000);
  ask(stage, 1);
  expect(stage.cries).toEqual([late]);
});

test.each([
  ['in the phase that was asked for: it goes on there', 'drain', []],
  [
    'in another one, which is late',
    'pre-drain',
    ['Machine fleet/m1 comes to drain, and is asked for after 20 s'],
  ],
] as const)('a deletion begins %s', async (_where, phase, cries) => {
  const stage = await openStage(handedOnAtOnce);
  stage.world.begin();
  const [instance] = stage.world.instances();
  const { namespace = '', name, uid = '' } = stage.machine().metadata;
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace, name, uid };
  Object.assign(instance!, { steps: () => [{ machine, phase, seq: 0 }] });
  save(stage, { seq: 0, phase: 'drain' }, instance?.name);
  await stage.pass(20_000);
  ask(stage, 0);
  expect(stage.cries).toEqual(cries);
});

test('so is one of which nobody was told before it was passed', async () => {
  const stage = await openStage(handedOnAtOnce);
  drained(stage);
  await stage.pass(20_000);
  save(stage, { seq: 2, phase: 'infrastructure', passed: { drain: 'done', 'volume-detach': 'done' } });
  expect(stage.cries).toEqual([late]);
});

test.each<[string, (stage: Stage) => void]>([
  ['that is asked for', (stage) => ask(stage, 1)],
  ['of which something went wrong', ({ observer }) => observer.hit?.('answer-lost', [], undefined)],
  ['right before everybody gave in', ({ observer }) => observer.stoodStill?.()],
])('a phase %s is not late', async (_which, then) => {
  const stage = await openStage(handedOnAtOnce);
  drained(stage);
  await stage.pass(1_000);
  then(stage);
  await stage.pass(20_000);
  ask(stage, 1);
  expect(stage.cries).toEqual([]);
});

test('that a step of an earlier phase is asked for again does not help', async () => {
  const stage = await openStage(handedOnAtOnce);
  drained(stage);
  ask(stage, 0);
  await stage.pass(20_000);
  ask(stage, 1);
  expect(stage.cries).toEqual([late]);
});

test('what the server has refused was not passed', async () => {
  const stage = await openStage(handedOnAtOnce);
  const { uid, resourceVersion } = stage.machine().metadata;
  save(stage, { seq: 0, phase: 'drain' });
  const text = JSON.stringify({ v: 1, uid, seq: 1, phase: 'infrastructure', since: '2026-01-01T00:00:00Z' });
  const annotations = { 'phaseout.dev/checkpoint': text };
  const body = { metadata: { uid, resourceVersion, annotations } };
  const resource = 'machines.cluster.x-k8s.io';
  stage.ask({ verb: 'patch', resource, namespace: 'fleet', name: 'm1', body }, undefined, 409);
  await stage.pass(20_000);
  ask(stage, 1);
  expect(stage.cries).toEqual([]);
});

test('a phase that the answer to its event asks for is not late', async () => {
  const stage = await openStage(handedOnAtOnce);
  drained(stage);
  const tick = { attributes: { id: 'tick', type: 'tick' }, data: Buffer.from('') };
  stage.observer.replied?.(advance(stage, 1), tick);
  await stage.pass(20_000);
  ask(stage, 1);
  expect(stage.cries).toEqual([]);
});
