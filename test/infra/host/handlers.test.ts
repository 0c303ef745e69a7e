import { describe, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { Step } from '../../../infra/host/ask.ts';
import { handlersOf } from '../../../infra/host/handlers.ts';
import { createUnderWay } from '../../../shared/async/under-way.ts';
import { type AppOptions, createApp, type Flight } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, aWorld } from '../../builders/world.ts';

/** What the intake answers to a change of a Machine, from a broker, beside these other requests. */
async function answered(change: 'add' | 'update' | 'delete', data: object, others: Partial<AppOptions> = {}) {
  const { env } = aWorld();
  const handlers = handlersOf(env, async () => []);
  const app = createApp(
    { '/intake': handlers['intake']! },
    { clock: env.clock, log, requestTimeoutSeconds: 5, ...others },
  );
  const headers = {
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': 'https://10.96.0.1:443',
    'ce-type': `dev.knative.apiserver.resource.${change}`,
    prefer: 'reply',
  };
  const readBody = async () => new TextEncoder().encode(JSON.stringify(data));
  const { status, headers: said } = await app({ method: 'POST', path: '/intake', headers, readBody });
  return { status, reply: said['ce-type'] };
}

test.each(['add', 'update'] as const)('a deletion that an %s tells of is looked at', async (change) => {
  const reply = 'dev.phaseout.deletion.advance.v1';
  expect(await answered(change, aRawMachine())).toEqual({ status: 200, reply });
});

test('what is gone, or has left a selection, is nothing to act on', async () => {
  expect(await answered('delete', aRawMachine())).toEqual({ status: 204, reply: undefined });
});

test('a Machine that cannot be read is not delivered again', async () => {
  const machine = aRawMachine({ spec: { clusterName: 7 } });
  expect((await answered('update', machine)).status).toBe(400);
});

test('an event is taken in although its workload cluster has its share of places: it does not wait for it', async () => {
  const cluster = 'default/c';
  const inFlight = createUnderWay<Flight>();
  const flight: Flight = { function: 'drain', request: 'r', since: 0, cluster };
  for (let index = 0; index < 3; index += 1) void inFlight.during(flight, () => new Promise(() => undefined));
  const answer = await answered('update', aRawMachine(), { inFlight, maxInFlight: 4 });
  expect(answer.status).toBe(200);
});

/** What the function of a phase answers to its command. */
async function commanded(step: Step, command = aCommand(), { env } = aWorld()) {
  const handlers = handlersOf(env, step);
  const app = createApp(
    { '/drain': handlers['drain']! },
    { clock: env.clock, log, requestTimeoutSeconds: 5 },
  );
  const { headers, body } = toBinary(advance(command, 0));
  const readBody = async () => new TextEncoder().encode(body);
  const { status, headers: said } = await app({ method: 'POST', path: '/drain', headers, readBody });
  return { status, reply: said['ce-type'] };
}

test('a command is answered when its step was taken, and with what follows', async () => {
  const answer = await commanded(async () => [advance(aCommand({ phase: 'volume-detach', seq: 2 }), 0)]);
  expect(answer).toEqual({ status: 200, reply: 'dev.phaseout.deletion.advance.v1' });
});

test('a command whose step could not be taken comes again', async () => {
  const answer = await commanded(() => Promise.reject(new Unavailable('the API does not answer')));
  expect(answer.status).toBe(503);
});

type Later = Parameters<typeof aCommand>[0];

/** What becomes of a command that comes while the first step of a drain is on its way. */
const asked = async (later: Later, world = aWorld()) => {
  let steps = 0;
  const heard = world.env.pendingEvents.listen(aCommand({ phase: 'drain', seq: 1, resourceVersion: '7' }));
  const step: Step = async () => {
    steps += 1;
    return [];
  };
  const { status } = await commanded(step, aCommand({ phase: 'drain', seq: 1, ...later }), world);
  return { status, steps, heard: heard.versions };
};

describe('while a step is on its way', () => {
  test('another change asks for it in vain: it hears of that', async () => {
    expect(await asked({ resourceVersion: '8' })).toEqual({ status: 204, steps: 0, heard: ['8'] });
  });

  test.each<[string, Later]>([
    ['the next one', { seq: 2, resourceVersion: '8' }],
    ['that of another phase', { phase: 'volume-detach', resourceVersion: '8' }],
    ['one of another Machine', { machine: { ...aCommand().machine, uid: 'uid-2' }, resourceVersion: '8' }],
  ])('%s is taken all the same', async (_which, later) => {
    expect(await asked(later)).toMatchObject({ steps: 1, heard: [] });
  });

  test('one that names no version is taken: what it is about may be newer than what the step sees', async () => {
    const { resourceVersion: _, ...unversioned } = aCommand({ phase: 'drain', seq: 1 });
    expect(await asked(unversioned)).toMatchObject({ steps: 1, heard: [] });
  });
});
