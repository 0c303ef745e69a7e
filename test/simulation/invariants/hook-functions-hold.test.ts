import { expect, test } from 'vitest';
import type { PlayedHook } from '../platform/functions/played.ts';
import { ourName, ourSecondHook } from '../scenario/beside.ts';
import { deletionHooks } from '../scenario/build/deletion-hooks.ts';
import { cordon, nodeOf, removeInfrastructure, takeFinalizer } from './asked.ts';
import { beside, handOver, secondHook } from './asked-beside.ts';
import { aHook, callFunction, nowIn, ofOther, openWithFunctions, tellTurns } from './asked-functions.ts';
import { hookFunctionsHold } from './hook-functions-hold.ts';
import type { Stage } from './stage.ts';

type Deed = (stage: Stage) => void | Promise<void>;

const begin: Deed = (stage) => tellTurns(stage, [{ name: 'move-data', begin: nowIn(stage) }]);
const ask: Deed = (stage) => callFunction(stage);
const askAboutOther: Deed = (stage) => callFunction(stage, ofOther(stage));
const endsAs =
  (end: string): Deed =>
  (stage) =>
    tellTurns(stage, [{ name: 'move-data', begin: begunAt(stage), end }]);
const waits =
  (seconds: number): Deed =>
  (stage) =>
    stage.pass(seconds * 1_000);
const drains: Deed = (stage) => stage.ask(cordon(nodeOf(stage)));
const terminates: Deed = (stage) => stage.ask(removeInfrastructure(stage));
const finishes: Deed = (stage) => stage.ask(takeFinalizer(stage));
const passes: Deed = (stage) =>
  stage.world.functions.pass('fleet/move-data', stage.machine().metadata.uid ?? '');
const removesHook: Deed = ({ world }) =>
  world.management.remove(deletionHooks, { metadata: { namespace: 'fleet', name: 'move-data' } });
const clusters = 'clusters.cluster.x-k8s.io';
const deletesCluster: Deed = (stage) => {
  const { management } = stage.world;
  const metadata = { namespace: 'fleet', name: 'blue' };
  management.patch(clusters, { metadata }, { metadata: { finalizers: ['example.com/kept'] } });
  management.remove(clusters, { metadata });
  stage.look();
};
const pauses =
  (value: '' | null): Deed =>
  (stage) =>
    stage.patchMachine({ metadata: { annotations: { 'cluster.x-k8s.io/paused': value } } });

/** As the Machine says. */
function begunAt(stage: Stage): string {
  const text = stage.machine().metadata.annotations?.['phaseout.dev/hooks'] ?? '{}';
  return /"begin":"([^"]+)"/.exec(text)?.[1] ?? nowIn(stage);
}

const working = { until: 'Working', calls: undefined } as const;
const usual = [aHook('move-data')];
const never = [aHook('move-data', {}, working)];
const limited = (onTimeout: 'Hold' | 'Proceed'): PlayedHook[] => [
  aHook('move-data', { timeout: '30s', onTimeout }, working),
];
const terminating = [aHook('move-data', { at: 'PreTerminate' }, working)];

const waitsFor = 'it waits for the function of fleet/move-data';
const says = (end: string): string =>
  `instance-1 writes whom to ask about Machine fleet/m1: it says that the function of fleet/move-data has ended as ${end}`;

test.each<[string, PlayedHook[], Deed[], string[]]>([
  ['done before the drain', usual, [begin, ask, endsAs('Done'), drains], []],
  [
    'asked, and the drain begins',
    usual,
    [begin, ask, drains],
    [`instance-1 cordons Node node-1 in blue: ${waitsFor}`],
  ],
  ['not asked at all', usual, [drains], [`instance-1 cordons Node node-1 in blue: ${waitsFor}`]],
  [
    'asked, and the server goes',
    usual,
    [begin, terminates],
    [
      `instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): ${waitsFor}`,
    ],
  ],
  ['to be asked before the server goes', terminating, [drains], []],
  [
    'still working as the finalizer goes',
    terminating,
    [finishes],
    [`instance-1 takes the finalizer off Machine fleet/m1: ${waitsFor}`],
  ],
  [
    'done by its own word alone',
    usual,
    [begin, endsAs('Done')],
    [`${says('Done')}: its function has not said Done`],
  ],
  [
    'working, and called done',
    never,
    [begin, ask, endsAs('Done')],
    [`${says('Done')}: its function has not said Done`],
  ],
  [
    'done with another Machine',
    usual,
    [begin, askAboutOther, endsAs('Done')],
    [`${says('Done')}: its function has not said Done`],
  ],
  ['passed by a person', never, [begin, passes, endsAs('Passed'), drains], []],
  ['passed by nobody', never, [begin, endsAs('Passed')], [`${says('Passed')}: no person has passed it`]],
  [
    'ended in a way that there is not',
    usual,
    [begin, endsAs('Bored')],
    [`${says('Bored')}: it ends in no known way`],
  ],
  ['over by its time limit', limited('Proceed'), [begin, ask, waits(30), endsAs('Proceeded'), drains], []],
  [
    'over too early',
    limited('Proceed'),
    [begin, ask, waits(20), endsAs('Proceeded')],
    [`${says('Proceeded')}: its turn has lasted 20 s, and its timeout is 30s`],
  ],
  [
    'over with a limit that holds',
    limited('Hold'),
    [begin, ask, waits(30), endsAs('Proceeded')],
    [`${says('Proceeded')}: nobody has decided that in advance`],
  ],
  [
    'over without a call',
    limited('Proceed'),
    [begin, waits(30), endsAs('Proceeded')],
    [`${says('Proceeded')}: its function was not asked`],
  ],
  [
    'bypassed for no reason',
    usual,
    [begin, endsAs('Bypassed')],
    [`${says('Bypassed')}: the API does not pass it over`],
  ],
  ['bypassed as the Cluster goes', usual, [begin, deletesCluster, endsAs('Bypassed'), drains], []],
  ['of a DeletionHook that is gone before its turn', usual, [removesHook, drains], []],
  [
    'of a DeletionHook that is gone in its turn',
    usual,
    [begin, removesHook, drains],
    [`instance-1 cordons Node node-1 in blue: ${waitsFor}`],
  ],
  [
    'for other Machines',
    [aHook('move-data', { machines: [{ selector: { matchLabels: { pool: 'b' } } }] })],
    [drains],
    [],
  ],
])('a function is %s', async (_what, hooks, deeds, cries) => {
  const stage = await openWithFunctions(hookFunctionsHold, hooks);
  for (const deed of deeds) await deed(stage);
  expect(stage.cries).toEqual(cries);
});

test('a call has its time for an answer, although the limit is over', async () => {
  const stage = await openWithFunctions(hookFunctionsHold, limited('Proceed'));
  for (const deed of [begin, waits(28)]) await deed(stage);
  callFunction(stage, { begins: begunAt(stage) });
  for (const deed of [waits(4), endsAs('Proceeded')]) await deed(stage);
  expect(stage.cries).toEqual([`${says('Proceeded')}: its function was asked 4000 ms ago`]);
});

test('a pause is no part of a time limit', async () => {
  const stage = await openWithFunctions(hookFunctionsHold, limited('Proceed'));
  const deeds = [begin, ask, pauses(''), waits(600), pauses(null), waits(1), endsAs('Proceeded')];
  for (const deed of deeds) await deed(stage);
  expect(stage.cries).toEqual([`${says('Proceeded')}: its turn has lasted 11 s, and its timeout is 30s`]);
});

test.each([
  ['Proceed', []],
  ['Hold', [`${says('Bypassed')}: the API does not pass it over`]],
] as const)('before the server goes, a Cluster that goes means %s', async (onClusterDeletion, cries) => {
  const hooks = [aHook('move-data', { at: 'PreTerminate', onClusterDeletion })];
  const stage = await openWithFunctions(hookFunctionsHold, hooks);
  for (const deed of [begin, deletesCluster, endsAs('Bypassed')]) await deed(stage);
  expect(stage.cries).toEqual(cries);
});

test.each([
  ['is not done', never, [`instance-1 hands over Machine fleet/m1: ${waitsFor}`]],
  ['is for the other place', terminating, []],
] as const)('our hook goes while a function %s', async (_what, hooks, cries) => {
  const stage = await openWithFunctions(hookFunctionsHold, hooks);
  beside(stage);
  handOver(stage);
  expect(stage.cries).toEqual(cries);
});

test.each([
  ['is not done', terminating, true, [`instance-1 hands over Machine fleet/m1: ${waitsFor}`]],
  ['is for the other place', never, true, []],
  ['was to come, and the hook was never on it', terminating, false, []],
] as const)('our hook before the end of a server goes while a function %s', async (...given) => {
  const [_what, hooks, isOn, cries] = given;
  const stage = await openWithFunctions(hookFunctionsHold, hooks);
  beside(stage);
  if (isOn) secondHook(stage, ourName);
  handOver(stage, { hook: ourSecondHook });
  expect(stage.cries).toEqual(cries);
});

test.each([
  [0, []],
  [5, ['the function of fleet/wipe-disks is asked about Machine fleet/m1 before fleet/move-data']],
] as const)('of two functions the one of order %s is asked at once', async (order, cries) => {
  const hooks = [...never, aHook('wipe-disks', { order })];
  const stage = await openWithFunctions(hookFunctionsHold, hooks);
  callFunction(stage, { name: 'wipe-disks' });
  expect(stage.cries).toEqual(cries);
});
