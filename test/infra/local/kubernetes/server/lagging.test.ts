import { describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const collection = '/api/v1/namespaces/default/configmaps';

/** `b` was made, changed twice, removed and made again; `a` and another namespace have their own changes in between. */
function serverWithHistory(): ApiServer {
  const server = createApiServer({ clock: new VirtualClock(0) });
  const { cluster } = server;
  const make = (name: string, text: string, namespace = 'default') =>
    cluster.create('configmaps', { metadata: { name, namespace }, data: { text } });
  const change = (name: string, text: string) =>
    cluster.patch('configmaps', cluster.get('configmaps', 'default', name)!, { data: { text } });
  make('b', 'one');
  change('b', 'two');
  make('a', 'first');
  change('b', 'three');
  make('b', 'elsewhere', 'kube-system');
  cluster.remove('configmaps', cluster.get('configmaps', 'default', 'b')!);
  make('b', 'anew');
  return server;
}

function textOf(server: ApiServer, name: string, changesBehind: number): string {
  const { status, body } = server.respond({ method: 'GET', path: `${collection}/${name}`, changesBehind });
  return status === 200 ? JSON.parse(body).data.text : `${status} ${JSON.parse(body).reason}`;
}

function textsIn(server: ApiServer, changesBehind: number, path = collection): string[] {
  const list = JSON.parse(server.respond({ method: 'GET', path, changesBehind }).body);
  return (list.items ?? []).map(({ data }: { data: { text: string } }) => data.text);
}

describe('an answer that lags behind', () => {
  it.each([
    [0, 'anew'],
    [1, '404 NotFound'],
    [2, 'three'],
    [3, 'two'],
    [4, 'one'],
    [5, '404 NotFound'],
    [6, 'anew'],
  ])('by %i changes of an object shows %s', (behind, text) => {
    expect(textOf(serverWithHistory(), 'b', behind)).toBe(text);
  });

  it.each([
    [0, ['first', 'anew']],
    [1, ['first']],
    [2, ['first', 'three']],
    [3, ['first', 'two']],
    [4, ['two']],
    [5, ['one']],
    [6, []],
  ])('by %i changes of a list shows %j', (behind, texts) => {
    expect(textsIn(serverWithHistory(), behind)).toEqual(texts);
  });

  it('counts the changes of all namespaces where all are listed', () => {
    expect(textsIn(serverWithHistory(), 3, '/api/v1/configmaps')).toEqual(['first', 'three']);
  });

  it('has the version of its time, from which a watch tells what has changed since', () => {
    const server = serverWithHistory();
    const list = JSON.parse(server.respond({ method: 'GET', path: collection, changesBehind: 2 }).body);
    const { resourceVersion } = list.metadata;
    const lines: string[] = [];
    const { stream } = server.respond({
      method: 'GET',
      path: collection,
      query: { watch: 'true', resourceVersion },
    });
    stream?.read(
      (line) => lines.push(JSON.parse(line).type),
      () => undefined,
    );
    expect(lines).toEqual(['DELETED', 'ADDED']);
  });

  it('is given to first pages only: a later one is of the moment of the first', () => {
    const server = serverWithHistory();
    const { body } = server.respond({ method: 'GET', path: collection, query: { limit: '1' } });
    const query = { limit: '1', continue: JSON.parse(body).metadata.continue };
    const next = server.respond({ method: 'GET', path: collection, query, changesBehind: 4 });
    expect(JSON.parse(next.body).items).toMatchObject([{ data: { text: 'anew' } }]);
  });

  it('is as of now when what was then is forgotten', () => {
    const server = serverWithHistory();
    server.compact();
    expect(textOf(server, 'b', 1)).toBe('anew');
  });

  it('is given to reads only', () => {
    const server = serverWithHistory();
    const body = JSON.stringify({ data: { text: 'now' } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const path = `${collection}/b`;
    expect(server.respond({ method: 'PATCH', path, headers, body, changesBehind: 1 }).status).toBe(200);
    expect(textOf(server, 'b', 0)).toBe('now');
  });
});
