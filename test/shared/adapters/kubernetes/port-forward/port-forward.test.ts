import { createServer, get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../../../infra/local/kubernetes/server/listen.ts';
import { kubeconfigFor } from '../../../../../infra/local/load/kubeconfigs.ts';
import { loadKubeConfig } from '../../../../../shared/adapters/kubernetes/kube-config.ts';
import { type Forwarded, forwardTo } from '../../../../../shared/adapters/kubernetes/port-forward.ts';
import { startForwarding } from './forwarding-server.ts';

const long = 'x'.repeat(200_000);

/** A server that answers with the path, and at length if it is asked to. */
async function aPod(): Promise<string> {
  const server = createServer((request, response) =>
    response.end(request.url === '/long' ? long : request.url),
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenLocally(server);
}

async function forwarding(apiServer: string): Promise<Forwarded> {
  const kubeConfig = loadKubeConfig({ text: kubeconfigFor(apiServer) });
  const forwarded = await forwardTo(kubeConfig, { namespace: 'phaseout', pod: 'store-1', port: 8000 });
  onTestFinished(() => forwarded.close());
  return forwarded;
}

const through = ({ agent }: Forwarded, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(`http://phaseout-dynamodb.phaseout.svc:8000${path}`, { agent }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve(text));
    });
    request.on('error', reject);
  });

test('requests reach the Pod, one after the other by one connection', async () => {
  const { url, asked } = await startForwarding({ pod: await aPod() });
  const forwarded = await forwarding(url);
  expect(await through(forwarded, '/one')).toBe('/one');
  expect(await through(forwarded, '/two')).toBe('/two');
  expect(asked).toEqual(['/api/v1/namespaces/phaseout/pods/store-1/portforward?ports=8000']);
});

test('several at once, and long answers, come whole', async () => {
  const { url } = await startForwarding({ pod: await aPod() });
  const forwarded = await forwarding(url);
  const answers = await Promise.all(['/long', '/one', '/long'].map((path) => through(forwarded, path)));
  expect(answers).toEqual([long, '/one', long]);
});

test('a refusal is said', async () => {
  const { url } = await startForwarding({ pod: 'http://127.0.0.1:1', refusal: 403 });
  const forwarded = await forwarding(url);
  expect(forwarded.refusal()).toBeUndefined();
  await expect(through(forwarded, '/one')).rejects.toThrow('socket hang up');
  expect(forwarded.refusal()).toBe('Unexpected server response: 403');
});

test('a Pod that does not listen ends the connection', async () => {
  const { url } = await startForwarding({ pod: 'http://127.0.0.1:1' });
  await expect(through(await forwarding(url), '/one')).rejects.toThrow('socket hang up');
});
