import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { providersHaveTheirTime } from './providers-have-their-time.ts';
import { openStage, type Stage } from './stage.ts';

const going = (
  generation = 1,
  metadata: object = { deletionTimestamp: '2026-01-01T00:00:00Z' },
): KubeObject => ({
  metadata: { namespace: 'fleet', name: 'm9', uid: 'uid-9', generation, ...metadata },
});

interface Asked {
  instance?: string;
  machine?: KubeObject;
  operation?: 'exists' | 'create' | 'delete';
}

const callOf = ({ instance = 'instance-1', machine = going(), operation = 'delete' }: Asked) =>
  ({ instance, operation, machine, cluster: undefined }) as const;

interface Told {
  status?: number;
  body?: string;
  first?: Asked;
}

const inAMoment = '{"error":{"message":"busy","retryAfterSeconds":9.5}}';

/** The provider asks for 9.5 seconds, and is asked again after so many. */
async function again(stage: Stage, seconds: number, asked: Asked = {}, told: Told = {}): Promise<void> {
  const { status = 503, body = inAMoment, first = {} } = told;
  stage.observer.providerHeard?.(callOf(first), { status, headers: {}, body });
  await stage.pass(seconds * 1_000);
  stage.observer.asked?.(callOf(asked));
}

/** An instance has a wrong clock for a moment in which it asks for nothing. */
function jump({ world }: Stage): void {
  world.begin();
  const [instance] = world.instances();
  instance?.strand.skew(5_000);
  world.say('an instance', 'its clock is 5 s ahead');
  instance?.strand.skew(0);
}

const cry = 'instance-1 asks for the end of the server of Machine fleet/m9 0.5 s too early';

test.each<[string, (stage: Stage) => Promise<void>, string[]]>([
  ['too early', (stage) => again(stage, 9), [cry]],
  ['when it said', (stage) => again(stage, 9.5), []],
  ['about a Machine that has changed', (stage) => again(stage, 9, { machine: going(2) }), []],
  ['by another instance', (stage) => again(stage, 9, { instance: 'instance-2' }), []],
  ['whether there is a server', (stage) => again(stage, 9, { operation: 'exists' }), []],
  ['where it has refused', (stage) => again(stage, 9, {}, { status: 422 }), []],
  ['where nobody knows what it said', (stage) => again(stage, 9, {}, { body: 'Bad gateway' }), []],
  [
    'where it was asked something else',
    (stage) => again(stage, 9, {}, { first: { operation: 'exists' } }),
    [],
  ],
  [
    'where the Machine was not seen to go',
    (stage) => again(stage, 9, {}, { first: { machine: going(1, {}) } }),
    [],
  ],
  [
    'by whoever may have had a wrong clock, which came and went unseen',
    async (stage) => {
      jump(stage);
      await again(stage, 9);
    },
    [],
  ],
  [
    'by whoever has had that server made',
    async (stage) => {
      stage.observer.asked?.(callOf({ operation: 'create' }));
      await again(stage, 9);
    },
    [],
  ],
])('a provider that asked for time is asked again for the end of a server: %s', async (_when, act, cries) => {
  const stage = await openStage(providersHaveTheirTime);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});
