import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { evict } from './asked.ts';
import { asksEverMoreSlowly } from './asks-ever-more-slowly.ts';
import { openStage, type Stage } from './stage.ts';

const refuse = (stage: Stage, pod: KubeObject, code = 429): void =>
  stage.ask(evict(pod), () => undefined, code);

function makeBudget({ world }: Stage): void {
  world.cluster('blue').create('poddisruptionbudgets.policy', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop', name: 'a' },
    spec: { maxUnavailable: 1, selector: {} },
  });
}

/** It is refused so long after the time before. */
async function refusedAfter(stage: Stage, pauses: readonly number[], code = 429): Promise<KubeObject> {
  const pod = stage.pod('a');
  await stage.pass();
  refuse(stage, pod, code);
  for (const pause of pauses) {
    await stage.pass(pause);
    refuse(stage, pod, code);
  }
  return pod;
}

const cry = (milliseconds: number, times: number): string =>
  `instance-1 asks for the Pod shop/a after ${milliseconds} ms, refused ${times} times`;

test.each<[string, readonly number[], string[]]>([
  ['at once', [99], [cry(99, 1)]],
  ['after a while', [100], []],
  ['as soon as the first time', [100, 199], [cry(199, 2)]],
  ['more slowly', [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000], []],
  ['too soon after many times', [100, 200, 400, 800, 1_600, 3_200, 4_999], [cry(4_999, 7)]],
])('a Pod that was refused is asked for %s', async (_how, pauses, cries) => {
  const stage = await openStage(asksEverMoreSlowly);
  await refusedAfter(stage, pauses);
  expect(stage.cries).toEqual(cries);
});

test.each<[string, (stage: Stage) => void | Promise<void>, number]>([
  [
    'once a budget has changed',
    async (stage) => {
      makeBudget(stage);
      await stage.pass();
    },
    429,
  ],
  ['while something goes wrong', (stage) => stage.observer.hit?.('store-down', [], undefined), 429],
  ['that was accepted', () => undefined, 201],
  ['that is gone', () => undefined, 404],
])('a Pod may be asked for at once %s', async (_when, happens, code) => {
  const stage = await openStage(asksEverMoreSlowly);
  const pod = await refusedAfter(stage, [], code);
  await happens(stage);
  refuse(stage, pod);
  expect(stage.cries).toEqual([]);
});

test('another Pod of the same name may be asked for at once', async () => {
  const stage = await openStage(asksEverMoreSlowly);
  const pod = await refusedAfter(stage, []);
  refuse(stage, { ...pod, metadata: { ...pod.metadata, uid: 'another' } });
  expect(stage.cries).toEqual([]);
});
