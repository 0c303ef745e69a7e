import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { providersAreLeftAlone } from './providers-are-left-alone.ts';
import { openStage, type Stage } from './stage.ts';

const living = (size = 'small', metadata = {}): KubeObject => ({
  metadata: { namespace: 'fleet', name: 'm9', uid: 'uid-9', ...metadata },
  spec: { size },
});

interface Asked {
  instance?: string;
  machine?: KubeObject;
  operation?: 'exists' | 'delete';
}

const callOf = ({ instance = 'instance-1', machine = living(), operation = 'exists' }: Asked) =>
  ({ instance, operation, machine, cluster: undefined }) as const;

/** The provider asks for 20 seconds, and is asked again after so many. */
async function again(stage: Stage, seconds: number, asked: Asked = {}, first: Asked = {}): Promise<void> {
  const answer = { status: 503, headers: { 'retry-after': '20' }, body: '' };
  stage.observer.providerHeard?.(callOf(first), answer);
  await stage.pass(seconds * 1_000);
  stage.observer.asked?.(callOf(asked));
}

const cry = 'instance-1 asks about Machine fleet/m9 9 s too early';
const deleting = living('small', { deletionTimestamp: '2026-01-01T00:00:00Z' });

test.each<[string, (stage: Stage) => Promise<void> | void, string[]]>([
  ['too early', (stage) => again(stage, 10), [cry]],
  ['side by side', (stage) => again(stage, 3), []],
  ['when it said', (stage) => again(stage, 20), []],
  ['about a Machine that has changed', (stage) => again(stage, 10, { machine: living('large') }), []],
  ['by another instance', (stage) => again(stage, 10, { instance: 'instance-2' }), []],
  ['for the end of a server', (stage) => again(stage, 10, { operation: 'delete' }), []],
  ['where that was for its end', (stage) => again(stage, 10, {}, { operation: 'delete' }), []],
  ['about a Machine that goes', (stage) => again(stage, 10, { machine: deleting }), []],
  ['about a Machine that went before', (stage) => again(stage, 10, {}, { machine: deleting }), []],
  [
    'where the store has lost when to come again',
    async (stage) => {
      stage.observer.providerHeard?.(callOf({}), { status: 503, headers: { 'retry-after': '20' }, body: '' });
      stage.observer.hit?.('store-emptied', [], undefined);
      stage.observer.asked?.(callOf({}));
    },
    [],
  ],
  [
    'where it asked for no time',
    async (stage) => {
      stage.observer.providerHeard?.(callOf({}), { status: 500, headers: {}, body: '' });
      stage.observer.asked?.(callOf({}));
    },
    [],
  ],
])('a provider that asked for time is asked again %s', async (_when, act, cries) => {
  const stage = await openStage(providersAreLeftAlone);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});
