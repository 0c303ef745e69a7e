import { expect, test } from 'vitest';
import { createCloud } from '../../../infra/local/provider/cloud.ts';
import type { ActuatorTarget } from '../../../shared/actuator/port.ts';
import { createRandom } from '../random.ts';
import { Scheduler, Strand } from '../scheduler.ts';
import { type ProviderAnswer, type ProviderFate, providerFor, thinksSeconds } from './provider.ts';

const target: ActuatorTarget = {
  machine: {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { namespace: 'fleet', name: 'worker-1', uid: 'uid-1' },
    spec: { providerID: 'local:///worker-1' },
  },
  cluster: undefined,
};

interface Seen {
  /** What the instance learns, and when. */
  told: string;
  milliseconds: number;
  /** What observers are told. */
  done: ProviderAnswer['kind'] | undefined;
  isServerThere: boolean;
}

/** A delete that meets its fate, by an instance of which each step takes 5 ms. */
async function seen(fate: ProviderFate): Promise<Seen> {
  const scheduler = new Scheduler(0, createRandom(1));
  const cloud = createCloud({ clock: scheduler, random: createRandom(1) });
  cloud.adopt(target.machine);
  const done: Pick<Seen, 'done'> = { done: undefined };
  const actuator = providerFor(new Strand('instance-1', scheduler, () => 5), {
    cloud,
    patienceSeconds: 30,
    fate: () => fate,
    asked: () => undefined,
    seen: (_call, answer) => (done.done = answer?.kind),
  });
  const asked = actuator.delete(target).then(({ kind }) => kind, String);
  const told = asked.then((text) => ({ told: text, milliseconds: scheduler.now() }));
  await scheduler.run(100_000);
  const isServerThere = cloud.servers().length > 0;
  cloud.close();
  return { ...(await told), ...done, isServerThere };
}

const unheard = 'CouldNotLook: POST http://provider/v1/delete: connect ECONNREFUSED';

test.each<[string, ProviderFate, Seen]>([
  ['answers', 'answers', { told: 'accepted', milliseconds: 10, done: 'accepted', isServerThere: false }],
  ['is not there', 'finds nobody', { told: unheard, milliseconds: 10, done: undefined, isServerThere: true }],
  [
    'loses its answer',
    'is not answered',
    { told: unheard, milliseconds: 10, done: 'accepted', isServerThere: false },
  ],
  [
    'hangs before it does it',
    { hangs: 'before' },
    { told: unheard, milliseconds: 30_010, done: undefined, isServerThere: true },
  ],
  [
    'hangs after it did it',
    { hangs: 'after' },
    { told: unheard, milliseconds: 30_010, done: 'accepted', isServerThere: false },
  ],
  [
    'says what is not so',
    { says: { kind: 'accepted' } },
    { told: 'accepted', milliseconds: 10, done: 'accepted', isServerThere: true },
  ],
])('a provider that %s', async (_what, fate, expected) => {
  expect(await seen(fate)).toEqual(expected);
});

test('a provider that thinks makes the server late, and tells of the call before', async () => {
  const scheduler = new Scheduler(0, createRandom(1));
  const cloud = createCloud({ clock: scheduler, random: createRandom(1) });
  const told: string[] = [];
  const actuator = providerFor(new Strand('instance-1', scheduler, () => 5), {
    cloud,
    patienceSeconds: 30,
    fate: () => 'answers',
    asked: ({ operation }) => told.push(`${operation} asked at ${scheduler.now()}`),
    seen: ({ operation }) => told.push(`${operation} done at ${scheduler.now()}`),
  });
  const { metadata } = target.machine;
  const annotations = { [thinksSeconds]: '6' };
  const slow = { ...target, machine: { ...target.machine, metadata: { ...metadata, annotations } } };
  void actuator.exists(slow).then(() => actuator.create(slow));
  await scheduler.run(100_000);
  cloud.close();
  expect(told).toEqual([
    'exists asked at 5',
    'exists done at 5',
    'create asked at 15',
    'create done at 6015',
  ]);
});
