import { describe, expect, test } from 'vitest';
import { cordon, nodeOf, save } from './asked.ts';
import { machines } from './built-stage.ts';
import { limitsAreForTrying } from './limits-are-for-trying.ts';
import { openStage, type Stage } from './stage.ts';

const at = 'instance-1 writes the checkpoint of Machine fleet/m1:';

const listPods = (stage: Stage): void =>
  stage.ask({
    host: 'blue',
    verb: 'list',
    resource: 'pods',
    query: { fieldSelector: 'spec.nodeName=node-1' },
  });

const readNode = (stage: Stage): void =>
  stage.ask({ host: 'blue', verb: 'get', resource: 'nodes', name: 'node-1' });

const beHeld =
  (annotation: string) =>
  (stage: Stage): void => {
    stage.patchMachine({ metadata: { annotations: { [annotation]: '' } } });
    readNode(stage);
  };

const say =
  (reason: string) =>
  (stage: Stage): void => {
    const body = { status: { conditions: [{ type: 'Deleting', status: 'True', reason }] } };
    const about = { resource: `${machines}/status`, namespace: 'fleet', name: 'm1' };
    stage.ask({ ...about, verb: 'patch', body });
  };

const failDrain = (stage: Stage): void => {
  const { uid } = stage.machine().metadata;
  const body = { reason: 'FailedDrainNode', involvedObject: { uid } };
  stage.ask({ verb: 'create', resource: 'events', namespace: 'fleet', body });
};

const infrastructure = {
  verb: 'get',
  resource: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  namespace: 'fleet',
  name: 'm1',
};

/** With 404 it is gone; otherwise its state is unknown. */
const readInfrastructure =
  (code: number) =>
  (stage: Stage): void =>
    stage.ask(infrastructure, undefined, code);

/** A minute to drain. For the first half hour no instance has tried anything. */
async function criesAfter(
  tries: (stage: Stage) => void,
  milliseconds: number,
  decides = readInfrastructure(200),
): Promise<string[]> {
  const stage = await openStage(limitsAreForTrying);
  save(stage, { phase: 'drain' });
  const since = new Date(stage.world.now()).toISOString();
  await stage.pass(1_800_000);
  decides(stage);
  tries(stage);
  await stage.pass(milliseconds);
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  return stage.cries;
}

describe('a drain that has timed out', () => {
  test.each<[string, (stage: Stage) => void]>([
    ['its Pods were listed', listPods],
    ['its Node was cordoned', (stage) => stage.ask(cordon(nodeOf(stage)))],
    ['the Machine says so', say('DrainingNode')],
    ['its Node was read', readNode],
    ['an Event tells that it failed', failDrain],
  ])('was tried where %s', async (_where, tries) => {
    expect(await criesAfter(tries, 60_000)).toEqual([]);
    expect(await criesAfter(tries, 50_000)).toEqual([
      `${at} drain has timed out 50 s after it was first tried`,
    ]);
  });

  test.each<[string, (stage: Stage) => void]>([
    ['nothing is asked for', () => undefined],
    ['its Node was read while a hook held it', beHeld('pre-drain.delete.hook.machine.cluster.x-k8s.io/a')],
    ['its Node was read while it was paused', beHeld('cluster.x-k8s.io/paused')],
    ['a hook is waited for', say('WaitingForPreDrainHook')],
    ['something else cannot be read', say('InternalError')],
  ])('was not tried where %s', async (_where, tries) => {
    expect(await criesAfter(tries, 60_000)).toEqual([`${at} drain has timed out, and nobody has tried it`]);
  });

  test.each<[string, (stage: Stage) => void, cries: string[]]>([
    ['was read', readInfrastructure(200), []],
    ['was not there', readInfrastructure(404), []],
    ['could not be read', readInfrastructure(500), [`${at} drain has timed out, and nobody has tried it`]],
  ])('was tried only where its infrastructure %s', async (_how, decides, cries) => {
    expect(await criesAfter(say('DrainingNode'), 60_000, decides)).toEqual(cries);
  });
});

test.each([
  ['timeout-with-effect', 24_000, []],
  ['timeout-with-effect', 20_000, [`${at} drain has timed out 20 s after it was first tried`]],
  ['events-lost', 24_000, [`${at} drain has timed out 24 s after it was first tried`]],
])('a try may have been kept waiting by %s: for half a minute', async (fault, milliseconds, cries) => {
  const tries = (stage: Stage): void => {
    stage.observer.hit?.(fault, [], undefined);
    listPods(stage);
  };
  expect(await criesAfter(tries, milliseconds)).toEqual(cries);
});

const limit = (seconds: number) => (stage: Stage) =>
  stage.patchMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: seconds } } });

/** The phase starts under one limit. After so many seconds another one, which an instance has read, is over. */
async function criesWhereLimited(first: number, then: number, seconds: number): Promise<string[]> {
  const stage = await openStage(limitsAreForTrying);
  limit(first)(stage);
  await stage.pass(10);
  save(stage, { phase: 'drain' });
  const since = new Date(stage.world.now()).toISOString();
  await stage.pass(59_000);
  readInfrastructure(200)(stage);
  stage.look();
  limit(then)(stage);
  await stage.pass(5_000);
  stage.look();
  await stage.pass(seconds * 1_000 - 5_000);
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  return stage.cries;
}

test.each<[string, first: number, then: number, seconds: number, cries: string[]]>([
  ['none, and then one of 100 s, after 41 s', 0, 100, 41, []],
  [
    'none, and then one of 100 s, after 38 s',
    0,
    100,
    38,
    [`${at} drain has timed out 38 s after it was first tried`],
  ],
  ['one of 600 s, and then one of 100 s, after 41 s', 600, 100, 41, []],
  [
    'one of 120 s, and then one of 100 s, after 41 s',
    120,
    100,
    41,
    [`${at} drain has timed out 41 s after it was first tried`],
  ],
])(
  'what is given away before the first try is of the limit of then: %s',
  async (_which, first, then, seconds, cries) => {
    expect(await criesWhereLimited(first, then, seconds)).toEqual(cries);
  },
);

test('a drain has not been tried by writing that the first try begins', async () => {
  const stage = await openStage(limitsAreForTrying);
  const since = new Date(stage.world.now()).toISOString();
  save(stage, { phase: 'drain', since });
  save(stage, { phase: 'drain', since, reached: since });
  await stage.pass(60_000);
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual([
    'instance-1 writes the checkpoint of Machine fleet/m1: drain has timed out, and nobody has tried it',
  ]);
});

test('a drain that was done and is gone back to has been tried', async () => {
  const stage = await openStage(limitsAreForTrying);
  const since = new Date(stage.world.now()).toISOString();
  save(stage, { phase: 'drain', since });
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'done' } });
  await stage.pass(60_000);
  save(stage, { seq: 2, phase: 'drain', since, passed: { 'volume-detach': 'done' } });
  save(stage, { seq: 3, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual([]);
});

/** Ten seconds to delete the Node. For the first half hour no instance has tried anything. */
async function nodeCriesAfter(tries: (stage: Stage) => void, milliseconds: number): Promise<string[]> {
  const stage = await openStage(limitsAreForTrying);
  stage.patchMachine({ spec: { deletion: { nodeDeletionTimeoutSeconds: 10 } } });
  await stage.pass(2_000);
  save(stage, { phase: 'node' });
  const since = new Date(stage.world.now()).toISOString();
  await stage.pass(1_800_000);
  tries(stage);
  await stage.pass(milliseconds);
  save(stage, { seq: 1, phase: 'finalize', since, passed: { node: 'timed-out' } });
  return stage.cries;
}

const removeNode = (stage: Stage): void =>
  stage.ask({
    host: 'blue',
    verb: 'delete',
    resource: 'nodes',
    name: 'node-1',
    body: { preconditions: { uid: 'no-uid' } },
  });

describe('the deletion of a Node that has timed out', () => {
  test.each<[string, (stage: Stage) => void]>([
    ['its Node was read', readNode],
    ['its delete was asked for', removeNode],
    ['the Machine says so', say('DeletingNode')],
  ])('was tried where %s', async (_where, tries) => {
    expect(await nodeCriesAfter(tries, 10_000)).toEqual([]);
    expect(await nodeCriesAfter(tries, 3_000)).toEqual([
      `${at} node has timed out 3 s after it was first tried`,
    ]);
  });

  test.each<[string, (stage: Stage) => void]>([
    ['nothing is asked for', () => undefined],
    [
      'its Node was read while a hook held it',
      beHeld('pre-terminate.delete.hook.machine.cluster.x-k8s.io/a'),
    ],
    ['something else cannot be read', say('InternalError')],
  ])('was not tried where %s', async (_where, tries) => {
    expect(await nodeCriesAfter(tries, 10_000)).toEqual([
      `${at} node has timed out, and nobody has tried it`,
    ]);
  });
});
