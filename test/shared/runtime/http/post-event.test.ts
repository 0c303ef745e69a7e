import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../../infra/local/listen.ts';
import { createPost } from '../../../../shared/runtime/http/post-event.ts';
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
