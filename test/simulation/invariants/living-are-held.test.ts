import { expect, test } from 'vitest';
import { ourHook, releasedBy } from '../scenario/beside.ts';
import { beside } from './asked-beside.ts';
import { machines } from './built-stage.ts';
import { livingAreHeld } from './living-are-held.ts';
import { openStage, type Stage } from './stage.ts';

/** `m2` lives, and `m1` is being deleted. */
const letGo =
  (name: string) =>
  ({ world }: Stage): void =>
    void world.management.patch(
      machines,
      { metadata: { namespace: 'fleet', name } },
      { metadata: { finalizers: ['example.com/other'] } },
    );

function pauseAndLetGo(stage: Stage): void {
  const annotations = { 'cluster.x-k8s.io/paused': '' };
  const m2 = { metadata: { namespace: 'fleet', name: 'm2' } };
  stage.world.management.patch(machines, m2, { metadata: { annotations } });
  letGo('m2')(stage);
}

function giveAwayAndLetGo(stage: Stage): void {
  const { world } = stage;
  world.config = { ...world.config, watchFilter: 'ours' };
  letGo('m2')(stage);
}

const cry = ['Machine fleet/m2 lives without it'];

test.each<[string, (stage: Stage) => void, isQuiet: boolean, string[]]>([
  ['is held, with our finalizer on it', () => undefined, true, []],
  ['is told of, where it is not', letGo('m2'), true, cry],
  ['is not told of before all is quiet', letGo('m2'), false, []],
  ['is left alone while it is paused', pauseAndLetGo, true, []],
  ['is left alone while it is for somebody else', giveAwayAndLetGo, true, []],
])('a Machine that lives %s', async (_what, act, isQuiet, cries) => {
  const stage = await openStage(livingAreHeld);
  act(stage);
  if (isQuiet) stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(cries);
});

const m2Beside = (stage: Stage, annotations: Record<string, string>): void => {
  beside(stage);
  const m2 = { metadata: { namespace: 'fleet', name: 'm2' } };
  stage.world.management.patch(machines, m2, { metadata: { annotations } });
};

test.each<[string, Record<string, string>, string[]]>([
  ['lacks our hook', {}, ['Machine fleet/m2 lives without our hook, which was put on 0 times']],
  ['has our hook', { [ourHook]: 'phaseout.dev' }, []],
  ['was released by a person', { [releasedBy]: 'true' }, []],
])("beside Cluster API's own controller a Machine that lives %s", async (_what, annotations, cries) => {
  const stage = await openStage(livingAreHeld);
  m2Beside(stage, annotations);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(cries);
});

test('a Machine that is being deleted needs none', async () => {
  const stage = await openStage(livingAreHeld);
  letGo('m1')(stage);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual([]);
});

test('a Machine of v1alpha1 whose Cluster is gone is left as it is', async () => {
  const named = { namespace: 'fleet', name: 'old-1' };
  const resource = 'machines.cluster.k8s.io';
  const plan = { api: 'v1alpha1', resource, ...named, host: 'blue', node: undefined } as const;
  const criesWith = async (labels: Record<string, string>): Promise<string[]> => {
    const stage = await openStage(livingAreHeld, { machines: [plan] });
    const kind = { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'Machine', spec: { providerSpec: {} } };
    stage.world.management.create(resource, { ...kind, metadata: { ...named, labels } });
    stage.observer.quiet?.();
    stage.observer.ended?.();
    return stage.cries;
  };
  expect(await criesWith({ 'cluster.k8s.io/cluster-name': 'gone' })).toEqual([]);
  expect(await criesWith({})).toEqual(['Machine fleet/old-1 lives without it']);
});
