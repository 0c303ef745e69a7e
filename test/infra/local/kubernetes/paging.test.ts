import { expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const path = '/api/v1/namespaces/default/configmaps';

function serverWith(...names: string[]): ApiServer {
  const server = createApiServer({ clock: new VirtualClock(0) });
  for (const name of names) server.cluster.create('configmaps', { metadata: { name, namespace: 'default' } });
  return server;
}

function page(server: ApiServer, query: Record<string, string>) {
  const { status, body } = server.respond({ method: 'GET', path, query });
  const list = JSON.parse(body);
  const names: string[] = (list.items ?? []).map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );
  return { status, names, next: list.metadata.continue, version: list.metadata.resourceVersion };
}

it('shows on all pages the moment of the first', () => {
  const server = serverWith('a', 'b', 'c', 'd');
  const first = page(server, { limit: '2' });
  const gone = server.cluster.get('configmaps', 'default', 'c');
  server.cluster.remove('configmaps', gone!);
  server.cluster.create('configmaps', { metadata: { name: 'e', namespace: 'default' } });
  const second = page(server, { limit: '2', continue: first.next });
  expect(first.names).toEqual(['a', 'b']);
  expect(second.names).toEqual(['c', 'd']);
  expect(second.next).toBeUndefined();
  expect(second.version).toBe(first.version);
});

it('goes on as of now when the moment of the first page is forgotten', () => {
  const server = serverWith('a', 'b', 'c', 'd');
  const forged = JSON.stringify({ v: 'meta.k8s.io/v1', rv: 2, start: 'b\0' });
  const refused = page(server, { limit: '1', continue: Buffer.from(forged).toString('base64url') });
  expect(refused.status).toBe(410);
  const rest = page(server, { limit: '1', continue: refused.next });
  expect(rest.names).toEqual(['c']);
  expect(page(server, { continue: rest.next }).names).toEqual(['d']);
});

it('goes from one namespace to the next', () => {
  const server = serverWith('a', 'b');
  server.cluster.create('configmaps', { metadata: { name: 'a', namespace: 'kube-system' } });
  const everywhere = (query: Record<string, string>) =>
    JSON.parse(server.respond({ method: 'GET', path: '/api/v1/configmaps', query }).body);
  const first = everywhere({ limit: '2' });
  const second = everywhere({ limit: '2', continue: first.metadata.continue });
  expect(first.items).toHaveLength(2);
  expect(first.metadata.remainingItemCount).toBe(1);
  expect(second.items).toMatchObject([{ metadata: { name: 'a', namespace: 'kube-system' } }]);
});
