import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { ProviderAnswer } from '../platform/provider-answer.ts';
import { providerCallsAreFew } from './provider-calls-are-few.ts';
import { providerKnowsTheCluster } from './provider-knows-the-cluster.ts';
import { openStage, type Stage } from './stage.ts';

const exists: ProviderAnswer = { kind: 'exists' };

function ask(
  stage: Stage,
  cluster?: KubeObject,
  answer: ProviderAnswer = exists,
  machine = stage.machine(),
): void {
  const call = { instance: 'instance-1', operation: 'exists', machine, cluster } as const;
  stage.observer.asked?.(call);
  stage.observer.provider?.(call, answer);
}

/** So many times, so many seconds apart. */
async function askOften(
  stage: Stage,
  [times, seconds]: readonly [number, number],
  answer?: ProviderAnswer,
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    ask(stage, undefined, answer);
    await stage.pass(seconds * 1_000);
  }
}

const tooOften = ['84 calls about the server of Machine fleet/m1'];
const again: ProviderAnswer = { kind: 'retry', afterSeconds: 2, message: 'it stops' };

test.each<[string, (stage: Stage) => Promise<void>, string[]]>([
  ['every two seconds for minutes is too often', (stage) => askOften(stage, [90, 2]), tooOften],
  ['every twenty seconds is not', (stage) => askOften(stage, [100, 20]), []],
  ['every two seconds is not where the provider wants it', (stage) => askOften(stage, [100, 2], again), []],
])('a provider that is asked %s', async (_how, act, cries) => {
  const stage = await openStage(providerCallsAreFew);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});

const living = (size: string): KubeObject => ({
  metadata: { namespace: 'fleet', name: 'm9', uid: 'uid-9' },
  spec: { size },
});

test.each<[string, (time: number) => string, string[]]>([
  ['is asked for nothing new', () => 'small', ['24 calls about the server of Machine fleet/m9']],
  ['changes all the time', String, []],
])('of a living Machine that %s a provider may be asked so often', async (_what, sizeAt, cries) => {
  const stage = await openStage(providerCallsAreFew);
  for (let time = 0; time < 30; time += 1) {
    ask(stage, undefined, exists, living(sizeAt(time)));
    await stage.pass(500);
  }
  expect(stage.cries).toEqual(cries);
});

const clusters = 'clusters.cluster.x-k8s.io';
const blueIn = ({ world }: Stage): KubeObject | undefined => world.management.get(clusters, 'fleet', 'blue');
const why = 'instance-1 asks for exists of the server of Machine fleet/m1: with';

test.each<[string, (stage: Stage) => void | Promise<void>, string[]]>([
  ['its Cluster', (stage) => ask(stage, blueIn(stage)), []],
  ['no Cluster', (stage) => ask(stage), [`${why} no Cluster`]],
  [
    'another Cluster',
    (stage) => ask(stage, { metadata: { namespace: 'fleet', name: 'red', uid: 'red' } }),
    [`${why} the Cluster fleet/red`],
  ],
  [
    'a Cluster that has just gone',
    (stage) => {
      const blue = blueIn(stage);
      stage.world.management.remove(clusters, { metadata: { namespace: 'fleet', name: 'blue' } });
      ask(stage, blue);
    },
    [],
  ],
  [
    'a Cluster that went long ago',
    async (stage) => {
      const blue = blueIn(stage);
      stage.world.management.remove(clusters, { metadata: { namespace: 'fleet', name: 'blue' } });
      await stage.pass(400_000);
      ask(stage, blue);
    },
    [`${why} the Cluster fleet/blue`],
  ],
])('a provider is told of %s', async (_what, act, cries) => {
  const stage = await openStage(providerKnowsTheCluster);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});
