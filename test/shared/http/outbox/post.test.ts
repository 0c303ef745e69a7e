import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { createPost } from '../../../../shared/http/outbox/deliver.ts';
import { authority, serverCertificate, serverKey } from '../../adapters/kubernetes/certificates.ts';

const message = { headers: {}, body: '' };

/** A sink that is vouched for by an authority of its own, as Knative's are where it encrypts. */
async function anEncryptedSink(): Promise<string> {
  const server = createServer({ cert: serverCertificate, key: serverKey }, (_incoming, outgoing) => {
    outgoing.writeHead(202).end();
  });
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = new URL(await listenLocally(server));
  return `https://127.0.0.1:${port}`;
}

test('a sink is believed whose authority is named', async () => {
  const post = createPost(authority);
  expect(await post(await anEncryptedSink(), message, new AbortController().signal)).toEqual({ status: 202 });
});

test('and no other is', async () => {
  const posted = createPost()(await anEncryptedSink(), message, new AbortController().signal);
  await expect(posted).rejects.toThrow(/certificate/);
});

/** A sink that answers with this header, what it was sent, and over how many connections. */
async function aSink(headers: Record<string, string> = {}) {
  const seen: object[] = [];
  let connections = 0;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url, headers: sent } = incoming;
    const { 'content-length': length, 'ce-id': id } = sent;
    seen.push({ method, url, length, id, body: await text(incoming) });
    outgoing.writeHead(429, headers).end('not now');
  };
  const server = createPlainServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.on('connection', () => (connections += 1));
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = new URL(await listenLocally(server));
  return { url: `http://127.0.0.1:${port}/default`, seen, connections: () => connections };
}

test('events are posted as they are, one after the other over one connection', async () => {
  const sink = await aSink();
  const post = createPost();
  for (const id of ['1', '2'])
    await post(sink.url, { headers: { 'ce-id': id }, body: '{"ü":1}' }, new AbortController().signal);
  const sent = { method: 'POST', url: '/default', length: '8', body: '{"ü":1}' };
  expect(sink.seen).toEqual([
    { ...sent, id: '1' },
    { ...sent, id: '2' },
  ]);
  expect(sink.connections()).toBe(1);
});

test.each<[string, Record<string, string>, number | undefined]>([
  ['no time', {}, undefined],
  ['a number of seconds', { 'retry-after': '120' }, 120],
  ['a date, by a clock that may not be ours', { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }, undefined],
  ['what only begins with a number', { 'retry-after': '7 minutes' }, undefined],
  ['what only ends with a number', { 'retry-after': 'about 7' }, undefined],
])('of a sink that asks for %s only seconds are taken', async (_what, headers, seconds) => {
  const sink = await aSink(headers);
  const answer = await createPost()(sink.url, message, new AbortController().signal);
  expect(answer).toStrictEqual({ status: 429, ...(seconds !== undefined && { retryAfterSeconds: seconds }) });
});
