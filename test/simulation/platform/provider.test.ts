import { expect, test } from 'vitest';
import { createCloud } from '../../../infra/local/provider/cloud.ts';
import { operations } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { createHttpActuator } from '../../../shared/adapters/actuator/http-actuator.ts';
import { noAnswers } from '../faults/infrastructure/no-answers.ts';
import { createRandom } from '../random.ts';
import { Scheduler, Strand } from '../scheduler.ts';
import { type ProviderFate, type ProviderParts, providerUrl, wayToProvider } from './provider.ts';
import type { ProviderAnswer } from './provider-answer.ts';
import { openProviderDesk, thinksSeconds } from './provider-desk.ts';

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
  /** What observers get about each call. */
  done: (ProviderAnswer['kind'] | undefined)[];
  isServerThere: boolean;
}

interface Scene {
  scheduler: Scheduler;
  cloud: ReturnType<typeof createCloud>;
  /** As an instance has it whose steps take 5 ms each. */
  actuatorWith: (parts: Partial<ProviderParts>, shown?: string) => Actuator;
}

const silent = (): void => undefined;

/** `wanted`: the token without which it does nothing. */
function scene(wanted?: string): Scene {
  const scheduler = new Scheduler(0, createRandom(1));
  const cloud = createCloud({ clock: scheduler, random: createRandom(1) });
  cloud.adopt(target.machine);
  const clock = new Strand('instance-1', scheduler, () => 5);
  const usual: ProviderParts = {
    desk: openProviderDesk({ cloud, clock: scheduler, token: () => wanted }),
    fate: () => 'answers',
    asked: silent,
    seen: silent,
  };
  return {
    scheduler,
    cloud,
    actuatorWith: (parts, shown) =>
      createHttpActuator({
        url: providerUrl,
        timeoutSeconds: 30,
        clock,
        fetch: wayToProvider(clock, { ...usual, ...parts }),
        ...(shown !== undefined && { token: { current: async () => shown, forget: silent } }),
      }),
  };
}

/** A delete that meets its fate. */
async function seen(fate: ProviderFate, wanted?: string, shown?: string): Promise<Seen> {
  const { scheduler, cloud, actuatorWith } = scene(wanted);
  const done: Seen['done'] = [];
  const note = (answer: ProviderAnswer | undefined): void => void done.push(answer?.kind);
  const actuator = actuatorWith({ fate: () => fate, seen: (_call, answer) => note(answer) }, shown);
  const asked = actuator.delete(target).then(({ kind }) => kind, String);
  const told = asked.then((text) => ({ told: text, milliseconds: scheduler.now() }));
  await scheduler.run(100_000);
  const isServerThere = cloud.servers().length > 0;
  cloud.close();
  return { ...(await told), done, isServerThere };
}

const unheard = (why: string): string => `Unavailable: POST http://provider/v1/delete: ${why}`;

const notFound = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' };

test.each<[string, ProviderFate, Seen]>([
  ['answers', 'answers', { told: 'accepted', milliseconds: 10, done: ['accepted'], isServerThere: false }],
  [
    'is not there',
    'finds nobody',
    {
      told: unheard('connect ECONNREFUSED'),
      milliseconds: 10,
      done: [undefined],
      isServerThere: true,
    },
  ],
  [
    'loses its answers',
    'is not answered',
    {
      told: unheard('other side closed (UND_ERR_SOCKET)'),
      milliseconds: 20,
      done: ['accepted', 'accepted'],
      isServerThere: false,
    },
  ],
  [
    'hangs before it does it',
    { hangs: 'before' },
    {
      told: unheard('no answer within 30 s'),
      milliseconds: 30_000,
      done: [undefined],
      isServerThere: true,
    },
  ],
  [
    'hangs after it did it',
    { hangs: 'after' },
    {
      told: unheard('no answer within 30 s'),
      milliseconds: 30_000,
      done: ['accepted'],
      isServerThere: false,
    },
  ],
  [
    'says what is not so',
    { says: { kind: 'accepted' } },
    { told: 'accepted', milliseconds: 10, done: ['accepted'], isServerThere: true },
  ],
  [
    'is not asked by who stands before it',
    { isSaid: notFound, when: 'before' },
    {
      told: unheard('answered 404 with text/html instead of JSON'),
      milliseconds: 10,
      done: [undefined],
      isServerThere: true,
    },
  ],
  [
    'is not heard through who stands before it',
    { isSaid: notFound, when: 'after' },
    {
      told: unheard('answered 404 with text/html instead of JSON'),
      milliseconds: 10,
      done: ['accepted'],
      isServerThere: false,
    },
  ],
])('a provider that %s', async (_what, fate, expected) => {
  expect(await seen(fate)).toEqual(expected);
});

test('a provider that wants a token does nothing without it', async () => {
  const why = unheard('answered 401: the token is missing or wrong');
  const nothing = { told: why, milliseconds: 10, done: [undefined], isServerThere: true };
  expect(await seen('answers', 'new')).toEqual(nothing);
  expect(await seen('answers', 'new', 'old')).toEqual(nothing);
  expect(await seen('answers', 'new', 'new')).toMatchObject({ told: 'accepted', isServerThere: false });
});

test('no server is known by an answer that is none', async () => {
  for (const isSaid of noAnswers) {
    const { scheduler, actuatorWith } = scene();
    const actuator = actuatorWith({ fate: () => ({ isSaid, when: 'before' }) });
    const told = Promise.all(operations.map((operation) => actuator[operation](target).catch(String)));
    await scheduler.run(100_000);
    for (const answer of await told) expect(answer).toMatch(/^Unavailable: POST http/);
  }
});

test('a provider that thinks makes the server late, and tells of the call before', async () => {
  const { scheduler, cloud, actuatorWith } = scene();
  const told: string[] = [];
  const actuator = actuatorWith({
    asked: ({ operation }) => void told.push(`${operation} asked at ${scheduler.now()}`),
    seen: ({ operation }) => void told.push(`${operation} done at ${scheduler.now()}`),
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

test('a provider that is not done with making a server has its end asked for again', async () => {
  const { scheduler, cloud, actuatorWith } = scene();
  const actuator = actuatorWith({});
  const metadata = {
    namespace: 'fleet',
    name: 'worker-2',
    uid: 'uid-2',
    annotations: { [thinksSeconds]: '40' },
  };
  const slow = { ...target, machine: { ...target.machine, metadata } };
  const told: string[] = [];
  void actuator.create(slow).catch((error: unknown) => told.push(String(error)));
  const end = (): void => void actuator.delete(slow).then(({ kind }) => told.push(kind));
  scheduler.after(35_000, end);
  scheduler.after(41_000, end);
  await scheduler.run(100_000);
  const left = cloud.servers().map((server) => server.machine.uid);
  cloud.close();
  expect(told).toEqual([
    'Unavailable: POST http://provider/v1/create: no answer within 30 s',
    'retry',
    'accepted',
  ]);
  expect(left).toEqual(['uid-1']);
});
