import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import { serveIngress } from '../../../../infra/local/eventing/ingress.ts';
import type { Listening } from '../../../../infra/local/kubernetes/server/listen.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A subscriber that answers 202 and keeps what it got. */
async function aSubscriber(respond: (path: string) => Promise<number> = () => Promise.resolve(202)) {
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body });
    response.writeHead(await respond(request.url ?? '')).end();
  };
  const server = createServer((request, response) => void take(request, response));
  const url = await listenLocally(server);
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url, received };
}

async function anIngress(subscriber: string, more: { async?: boolean } = {}): Promise<Listening> {
  const delivery = { retry: 1, backoffPolicy: 'exponential' as const, backoffDelay: 'PT0.1S' };
  const broker = createBroker({
    clock: systemClock,
    triggers: [{ name: 'only', subscriber, delivery }],
    ...more,
  });
  const ingress = await serveIngress(broker, { namespace: 'ns', name: 'broker' });
  closing.push(
    () => broker.close(),
    () => ingress.close(),
  );
  return ingress;
}

const binary = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/t', 'ce-type': 't' };
const json = { 'content-type': 'application/json' };
const without = (name: keyof typeof binary) => {
  const { [name]: _, ...rest } = binary;
  return rest;
};

describe('what the ingress answers', () => {
  test.each<{ name: string; headers: Record<string, string>; body?: string; status: number }>([
    { name: 'a binary event', headers: { ...binary, ...json }, body: '{}', status: 202 },
    { name: 'specversion 0.3', headers: { ...binary, 'ce-specversion': '0.3' }, status: 202 },
    {
      name: 'a structured event',
      headers: { 'content-type': 'application/cloudevents+json' },
      body: '{"specversion":"1.0","id":"1","source":"/t","type":"t"}',
      status: 202,
    },
    { name: 'no event at all', headers: json, body: '{}', status: 400 },
    { name: 'no id', headers: without('ce-id'), status: 400 },
    { name: 'an empty type', headers: { ...binary, 'ce-type': '' }, status: 400 },
    { name: 'an attribute name with a dash', headers: { ...binary, 'ce-not-so': 'x' }, status: 400 },
    { name: 'a time that is none', headers: { ...binary, 'ce-time': 'noon' }, status: 400 },
    {
      name: 'a batch',
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: '[]',
      status: 400,
    },
    { name: 'no hops left', headers: { ...binary, 'ce-knativebrokerttl': '1' }, status: 400 },
  ])('$name: $status', async ({ headers, body = '', status }) => {
    const ingress = await anIngress((await aSubscriber()).url);
    const answer = await fetch(ingress.url, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  });

  test.each([
    { method: 'GET', path: '', status: 405 },
    { method: 'OPTIONS', path: '', status: 200 },
    { method: 'POST', path: '-of-another-name', status: 404 },
  ])('$method to the path$path: $status', async ({ method, path, status }) => {
    const ingress = await anIngress((await aSubscriber()).url);
    expect((await fetch(ingress.url + path, { method, headers: binary })).status).toBe(status);
  });
});

test('the event arrives over HTTP, attributes in any writing and data untouched', async () => {
  const subscriber = await aSubscriber();
  const ingress = await anIngress(subscriber.url);
  const headers = { ...binary, 'CE-Subject': 'd%C3%A9j%C3%A0%20vu', authorization: 'secret', ...json };
  await fetch(ingress.url, { method: 'POST', headers, body: '{ "a":  1 }' });

  const [request] = subscriber.received;
  expect(request?.body).toBe('{ "a":  1 }');
  expect(request?.headers).toMatchObject({ 'ce-subject': 'd%C3%A9j%C3%A0%20vu', prefer: 'reply', ...json });
  expect(request?.headers).not.toHaveProperty('authorization');
});

test('a subscriber that nobody answers at costs its retries and a 500', async () => {
  const dead = await aSubscriber();
  for (const close of closing.splice(0)) await close();
  const ingress = await anIngress(dead.url);
  expect((await fetch(ingress.url, { method: 'POST', headers: binary })).status).toBe(500);
});

test('in sync mode a publisher is answered after the subscriber', async () => {
  const order: string[] = [];
  const subscriber = await aSubscriber(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push('subscriber');
    return 200;
  });
  const ingress = await anIngress(subscriber.url);
  const publisher = fetch(ingress.url, { method: 'POST', headers: binary }).then(({ status }) => {
    order.push('publisher');
    return status;
  });
  expect(await publisher).toBe(202);
  expect(order).toEqual(['subscriber', 'publisher']);
});

test('in async mode a publisher does not wait for the subscriber', async () => {
  const subscriberMay = Promise.withResolvers<number>();
  const subscriber = await aSubscriber(() => subscriberMay.promise);
  const ingress = await anIngress(subscriber.url, { async: true });
  expect((await fetch(ingress.url, { method: 'POST', headers: binary })).status).toBe(202);
  subscriberMay.resolve(200);
});

test('events of one publisher that waits arrive in order, in sync mode', async () => {
  const subscriber = await aSubscriber();
  const ingress = await anIngress(subscriber.url);
  for (let id = 1; id <= 20; id++) {
    await fetch(ingress.url, { method: 'POST', headers: { ...binary, 'ce-id': String(id) } });
  }
  expect(subscriber.received.map(({ headers }) => Number(headers['ce-id']))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});
