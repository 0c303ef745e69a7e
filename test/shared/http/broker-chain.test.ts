import { afterEach, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { EventType } from '../../../events/types.ts';
import { type Broker, createBroker } from '../../../infra/local/eventing/broker.ts';
import { fromHttp } from '../../../infra/local/eventing/http-binding.ts';
import { defineFunction } from '../../../shared/http/function.ts';
import { type Serving, serve } from '../../../shared/http/serve.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { about, time } from '../../events/examples.ts';
import { logLines } from './log-lines.ts';
import { recorded } from './recording.ts';

const update = 'dev.knative.apiserver.resource.update';
const command = 'dev.phaseout.deletion.advance.v1';
let open: { serving: Serving; broker: Broker } | undefined;

afterEach(async () => {
  await open?.broker.close();
  await open?.serving.close();
});

/** Intake, drain and volume-detach behind a Broker; drain cannot look the first time. */
async function chain() {
  const ran: string[] = [];
  let looks = 0;
  const handlers = {
    '/intake': defineFunction([update], async (event) => {
      ran.push(`intake ${event.data.metadata.name}`);
      return advance(about, time);
    }),
    '/drain': defineFunction([command], async (event) => {
      looks += 1;
      ran.push(`${event.data.phase} look ${looks}`);
      if (looks === 1) throw new Unavailable('the API is down');
      return advance({ ...about, phase: 'volume-detach', seq: 3 }, time);
    }),
    '/volume-detach': defineFunction([command], async (event) => {
      ran.push(event.data.phase);
      return undefined;
    }),
  };
  const options = { clock: systemClock, log: logLines().log, requestTimeoutSeconds: 5 };
  const serving = await serve(handlers, { ...options, port: 0, host: '127.0.0.1' });
  const trigger = (name: string, type: EventType, phase?: string) => ({
    name,
    subscriber: `${serving.url}/${name}`,
    filter: { attributes: { type, ...(phase === undefined ? {} : { phase }) } },
  });
  const broker = createBroker({
    clock: systemClock,
    triggers: [
      trigger('intake', update),
      trigger('drain', command, 'drain'),
      trigger('volume-detach', command, 'volume-detach'),
    ],
    delivery: { retry: 2, backoffPolicy: 'exponential', backoffDelay: 'PT0S' },
  });
  open = { serving, broker };
  return { broker, ran };
}

function fromRecording(path: string) {
  const { headers, body } = recorded(path);
  const reading = fromHttp(headers, body);
  if (reading.kind !== 'event') throw new Error('the recording is no event');
  return reading.event;
}

test('replies lead from function to function, and what could not look is asked again', async () => {
  const { broker, ran } = await chain();
  const event = fromRecording('apiserversource/resource/update-deletionTimestamp-set');
  expect(await broker.publish(event)).toEqual({ status: 202 });
  expect(ran).toEqual(['intake del-canon', 'drain look 1', 'drain look 2', 'volume-detach']);
  expect(broker.deadLetters()).toEqual([]);
});

test('what is malformed is refused once and for all, and the dead letter says why', async () => {
  const { broker, ran } = await chain();
  const event = fromRecording('apiserversource/resource/update-deletionTimestamp-set');
  await broker.publish({ ...event, data: new TextEncoder().encode('{"kind":"Machine"}') });
  expect(ran).toEqual([]);
  expect(broker.deadLetters()).toHaveLength(1);
  const { attributes } = broker.deadLetters()[0]!.event;
  expect(attributes.knativeerrorcode).toBe('400');
  expect(JSON.parse(Buffer.from(attributes.knativeerrordata!, 'base64').toString())).toEqual({
    error: 'Invalid input: expected string, received undefined',
    field: 'data.apiVersion',
  });
});
