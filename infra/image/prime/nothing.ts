import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const group = 'cluster.x-k8s.io';
const version = { groupVersion: `${group}/v1beta2`, version: 'v1beta2' };
const machines = { name: 'machines', singularName: 'machine', kind: 'Machine', namespaced: true, verbs: [] };
const served = { name: group, versions: [version], preferredVersion: version };
const found: Readonly<Record<string, object>> = {
  '/apis': { kind: 'APIGroupList', groups: [served] },
  [`/apis/${group}`]: { kind: 'APIGroup', ...served },
  [`/apis/${group}/v1beta2`]: { kind: 'APIResourceList', ...version, resources: [machines] },
  [`/apis/${group}/v1beta2/machines`]: { kind: 'MachineList', metadata: { resourceVersion: '1' }, items: [] },
};
const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

export interface Nothing {
  /** For functions that must find nothing. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** A cluster, a store and a Broker in one, on loopback: a Machine API without Machines, a table without items. */
export async function serveNothing(): Promise<Nothing> {
  const server = createServer(answer);
  const url = `http://127.0.0.1:${await listen(server)}`;
  const folder = await mkdtemp(join(tmpdir(), 'nothing-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigFor(url));
  return {
    environment: { PORT: '0', KUBECONFIG: kubeconfig, PHASEOUT_DYNAMODB_ENDPOINT: url, K_SINK: url },
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}

/** A POST is for the store or the Broker, and both are content with an empty answer. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.method === 'POST') return void response.writeHead(200).end('{}');
  const object = found[request.url?.split('?')[0] ?? ''];
  response.writeHead(object === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(object ?? notFound));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function kubeconfigFor(url: string): string {
  const name = 'nothing';
  return JSON.stringify({
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: { token: 'none' } }],
  });
}
