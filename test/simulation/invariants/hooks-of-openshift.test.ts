import { expect, test } from 'vitest';
import { listedHook, releasedBy } from '../scenario/beside.ts';
import { change, deadManLetsGo, openBesideOpenShift, putOn } from './asked-of-openshift.ts';
import { deadManWaits } from './hook-watchdog-waits.ts';
import { letGoInTime } from './let-go-in-time.ts';
import { livingAreHeld } from './living-are-held.ts';
import { releasedGetNoHook } from './released-get-no-hook.ts';
import type { Stage } from './stage.ts';

type Deed = (stage: Stage) => void;

const nothing: Deed = () => undefined;
const takeOff: Deed = (stage) => change(stage, { spec: { lifecycleHooks: null } });
const mark: Deed = (stage) => change(stage, { metadata: { annotations: { [releasedBy]: 'true' } } });
const exclude: Deed = (stage) =>
  change(stage, { metadata: { annotations: { 'machine.openshift.io/exclude-node-draining': '' } } });
const forgetNode: Deed = (stage) => change(stage, { status: { nodeRef: null } }, 'status');
const isRuled =
  (by: string): Deed =>
  (stage) =>
    change(stage, { status: { authoritativeAPI: by } }, 'status');
const willBeRuled =
  (by: string): Deed =>
  (stage) => {
    isRuled('MachineAPI')(stage);
    change(stage, { spec: { authoritativeAPI: by } });
  };

const lives = 'Machine openshift-machine-api/worker-1 lives without our hook, which was put on 0 times';

test.each<[string, Deed[], string[]]>([
  ['has our hook', [], []],
  ['lacks our hook', [takeOff], [lives]],
  ['was released by a person', [takeOff, mark], []],
  ['is ruled by another API', [takeOff, isRuled('ClusterAPI')], []],
  ['is about to be ruled by another API', [takeOff, willBeRuled('ClusterAPI')], []],
])('a Machine of OpenShift that lives %s', async (_what, deeds, cries) => {
  const stage = await openBesideOpenShift(livingAreHeld, false);
  for (const deed of deeds) deed(stage);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(cries);
});

const comes = 'instance-1 puts our hook on Machine openshift-machine-api/worker-1';

test.each<[string, Deed, string[]]>([
  ['OpenShift rules', nothing, []],
  ['a person has released', mark, [comes]],
  ['another API rules', isRuled('ClusterAPI'), [comes]],
  ['another API is about to rule', willBeRuled('ClusterAPI'), [comes]],
])('our hook comes on a Machine that %s', async (_what, before, cries) => {
  const stage = await openBesideOpenShift(releasedGetNoHook, false);
  takeOff(stage);
  before(stage);
  await stage.pass(10);
  stage.ask(putOn(stage, [listedHook]));
  expect(stage.cries).toEqual(cries);
});

const held = 'Machine openshift-machine-api/worker-1 is held for 300 s for nothing';

test.each<[string, Deed[], string[]]>([
  ['is to be drained', [], []],
  ['is excluded from drains', [exclude], [held]],
  ['names no Node', [forgetNode], [held]],
  ['names no Node, and is ruled by another API', [forgetNode, isRuled('ClusterAPI')], []],
])('our hook stays on a Machine of OpenShift for minutes that %s', async (_what, deeds, cries) => {
  const stage = await openBesideOpenShift(letGoInTime);
  for (const deed of deeds) deed(stage);
  stage.observer.calm?.();
  for (const seconds of [0, 300]) {
    await stage.pass(seconds * 1_000);
    stage.tell('dev.knative.sources.ping', 'tick', {});
  }
  expect(stage.cries).toEqual(cries);
});

const frees = 'dead-man-1 takes our hook off Machine openshift-machine-api/worker-1:';

test.each<[string, boolean, Deed, string[]]>([
  ['is being deleted', true, nothing, []],
  ['lives', false, nothing, [`${frees} it lives`]],
  ['another API rules', true, isRuled('ClusterAPI'), [`${frees} its authority is ClusterAPI`]],
])(
  'the hook watchdog takes our hook off a Machine of OpenShift that %s',
  async (_what, isDeleted, before, cries) => {
    const stage = await openBesideOpenShift(deadManWaits, isDeleted);
    before(stage);
    await stage.pass(10);
    deadManLetsGo(stage);
    expect(stage.cries).toEqual(cries);
  },
);
