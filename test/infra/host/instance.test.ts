import { describe, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { OutEvent } from '../../../events/types.ts';
import { createInstance, type InstanceOptions } from '../../../infra/host/instance.ts';
import { createUnderWay } from '../../../shared/async/under-way.ts';
import { createApp } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { noWakeUps } from '../../../shared/wake-ups/wake-ups.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { watchedApi } from '../../shared/reconcile/watches.ts';
import { command, optionsOf } from './idle-instance.ts';

test('a wake-up that could not look is left to the broker, which tries again sooner than the next look', async () => {
  const clock = manualClock();
  const sent: OutEvent[] = [];
  const outbox = { send: async (event: OutEvent) => void sent.push(event), publish: () => undefined };
  const { environment } = createInstance(optionsOf({ clock, outbox }));
  environment.wakeUps.keep(command, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(sent).toMatchObject([
    { type: 'dev.phaseout.deletion.advance.v1', phase: 'drain', data: { seq: 3, machine: { uid: 'uid-1' } } },
  ]);
});

test('closing waits until what a wake-up led to is sent, and wakes nobody any more', async () => {
  const clock = manualClock();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const sent: OutEvent[] = [];
  const send = async (event: OutEvent) => {
    sent.push(event);
    await taken;
  };
  const instance = createInstance(optionsOf({ clock, outbox: { send, publish: () => undefined } }));
  const { wakeUps } = instance.environment;
  wakeUps.keep(command, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  let isClosed = false;
  const closing = instance.close().then(() => (isClosed = true));
  await clock.advance(1_000);
  expect([sent.length, isClosed]).toEqual([1, false]);
  take();
  await closing;
  wakeUps.keep(command, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(sent).toHaveLength(1);
});

test('closing waits for steps that are under way, which can be named', async () => {
  const clock = manualClock();
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
  const management = { ...watchedApi().api, get: () => answered };
  const instance = createInstance(optionsOf({ clock, management }));
  instance.environment.wakeUps.keep(command, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(instance.steps()).toEqual([command]);
  let isClosed = false;
  const closing = instance.close().then(() => (isClosed = true));
  await clock.advance(1_000);
  expect(isClosed).toBe(false);
  answer(undefined);
  await closing;
  expect(instance.steps()).toEqual([]);
});

test('closing waits for what no request waits for any more', async () => {
  const clock = manualClock();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const instance = createInstance(optionsOf({ clock }));
  void instance.environment.machineQueue.run('uid-1', 'tend', () => over);
  let isClosed = false;
  const closing = instance.close().then(() => (isClosed = true));
  await clock.advance(1_000);
  expect(isClosed).toBe(false);
  end();
  await closing;
});

test('a look that is set has the tick going, by the PingSource that is named', async () => {
  const asked: object[] = [];
  const get = async (_resource: object, key: object): Promise<undefined> => void asked.push(key);
  const management = { ...watchedApi().api, get };
  const config = readConfig({ PHASEOUT_DUE_PING_SOURCE: 'phaseout/sweep-due' });
  const { environment } = createInstance(optionsOf({ management, config }));
  await environment.store.schedule({ machine: command.machine, at: 0, failures: 0 });
  expect(asked).toEqual([{ namespace: 'phaseout', name: 'sweep-due' }]);
});

test('an instance goes by its configuration', () => {
  const config = readConfig({
    NODE_NAME: 'node-1',
    PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS: 'false',
    PHASEOUT_LOOK_AGAIN_SECONDS: '7',
    PHASEOUT_NAMESPACES: 'fleet,other',
    PHASEOUT_WAKE_UPS: 'false',
    PHASEOUT_WATCH_FILTER: 'mine',
  });
  const { environment } = createInstance(optionsOf({ config }));
  expect(environment.settings).toEqual({
    considerVolumeAttachments: false,
    nodeConditions: false,
    actions: new Set(),
    observeEvents: false,
    requeueAfterSeconds: 7,
    namespaces: ['fleet', 'other'],
    ownNode: 'node-1',
    watchFilter: 'mine',
  });
  expect(environment.wakeUps).toBe(noWakeUps);
});

describe('that no Machine is spared is said once, at the start', () => {
  const unset = 'NODE_NAME is not set: a cluster.k8s.io Machine is deleted even if this instance runs on it';
  test.each<[string, Partial<InstanceOptions>, string[]]>([
    ['of an instance that does not know its Node', {}, [unset]],
    ['but not of one that does', { config: readConfig({ NODE_NAME: 'node-1' }) }, []],
    ['nor of one that runs on no Node', { isOutside: true }, []],
  ])('%s', (_what, options, expected) => {
    const said: string[] = [];
    const log = { ...silent, warn: (message: string) => void said.push(message) };
    createInstance(optionsOf({ log, ...options }));
    expect(said).toEqual(expected);
  });
});

test('an instance looks after the Machine APIs that it is configured for', () => {
  const config = readConfig({ PHASEOUT_MACHINE_APIS: 'openshift,capi,openshift' });
  const { environment } = createInstance(optionsOf({ config }));
  expect(environment.dialects.map(({ group }) => group)).toEqual([
    'machine.openshift.io',
    'cluster.x-k8s.io',
  ]);
});

test('a workload cluster has no more than its share of the requests', async () => {
  const clock = manualClock();
  const { promise: never } = Promise.withResolvers<undefined>();
  const management = { ...watchedApi().api, get: () => never };
  const { environment, handlers } = createInstance(optionsOf({ clock, management }));
  const app = createApp(
    { '/drain': handlers['drain']! },
    { clock, log: silent, requestTimeoutSeconds: 5, inFlight: createUnderWay(), maxInFlight: 8 },
  );
  const post = (name: string) => {
    const uid = `uid-${name}`;
    environment.cache.rememberMachine(aRawMachine({ metadata: { name, uid } }));
    const machine = { ...command.machine, name, uid };
    const { headers, body } = toBinary(advance({ machine, phase: 'drain', seq: 1 }, 0));
    return app({
      method: 'POST',
      path: '/drain',
      headers,
      readBody: async () => new TextEncoder().encode(body),
    });
  };
  // Three quarters of the eight: none of them is answered.
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void post(name);
  expect((await post('g')).status).toBe(429);
});
