import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { createPost } from '../../../shared/http/outbox/deliver.ts';

/** On a busy computer what comes at once comes later. */
const patiently = { timeout: 10_000 };

const message = { headers: { 'ce-id': '1' }, body: '{}' };

/** A sink that takes an event and says no more than this, and how many connections it has. */
async function aSilentSink(begin?: string) {
  const open = new Set<object>();
  const asked = Promise.withResolvers<void>();
  const server = createServer((_incoming, outgoing) => {
    if (begin !== undefined) outgoing.writeHead(202).write(begin);
    asked.resolve();
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
  });
  onTestFinished(() => server.close().closeAllConnections());
  return { url: await listenLocally(server), asked: asked.promise, open: () => open.size };
}

// The sender has few places: one that hangs for good is lost to all later events.
test.each<[says: string, begin: string | undefined]>([
  ['nothing', undefined],
  ['the half of its answer', 'to be'],
])('a sink that says %s is let go of as soon as it is called off', async (_says, begin) => {
  const sink = await aSilentSink(begin);
  const over = new AbortController();
  let outcome = 'waiting';
  void createPost()(sink.url, message, over.signal).then(
    () => (outcome = 'taken'),
    () => (outcome = 'given up'),
  );
  await sink.asked;
  over.abort();
  await expect.poll(() => outcome, patiently).toBe('given up');
  await expect.poll(() => sink.open(), patiently).toBe(0);
});
