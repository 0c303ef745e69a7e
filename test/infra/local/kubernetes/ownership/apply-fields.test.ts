import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { applied, apply, aServer, aWidget, path, widgetIn, widgets } from './stage.ts';

describe('what a manager gives no more', () => {
  it.each<[string, object, object, object]>([
    ['goes', { size: 1, color: 'red' }, { size: 1 }, { size: 1 }],
    ['goes back to its default', { size: 1, color: 'red' }, { color: 'red' }, { size: 3, color: 'red' }],
    ['goes with what is empty without it', { labels: { a: 'b' } }, {}, { size: 3 }],
    [
      'goes from a map',
      { labels: { a: 'b', c: 'd' } },
      { labels: { c: 'd' } },
      { size: 3, labels: { c: 'd' } },
    ],
    ['goes from a set', { tags: ['a', 'b'] }, { tags: ['b'] }, { size: 3, tags: ['b'] }],
    [
      'goes from a list with keys, defaults and all',
      { parts: [{ name: 'a', color: 'red' }, { name: 'b' }] },
      { parts: [{ name: 'b' }] },
      { size: 3, parts: [{ name: 'b', size: 1 }] },
    ],
    [
      'goes with its list when that is one value',
      { args: ['a', 'b'] },
      { args: ['b'] },
      { size: 3, args: ['b'] },
    ],
  ])('%s', (_, before, after, spec) => {
    const server = aServer();
    expect([apply(server, before), apply(server, after)]).toEqual(['201', '200']);
    expect(widgetIn(server).spec).toEqual(spec);
  });

  it("stays when it is another's as well", () => {
    const server = aServer();
    apply(server, { color: 'red', tags: ['a'] });
    apply(server, { color: 'red', tags: ['a', 'b'] }, { by: 'you' });
    apply(server, {});
    expect(widgetIn(server).spec).toEqual({ size: 3, color: 'red', tags: ['a', 'b'] });
    apply(server, {}, { by: 'you' });
    expect(widgetIn(server).spec).toEqual({ size: 3 });
  });
});

it("the version of an object is nobody's: one that has passed is refused as such", () => {
  const server = aServer();
  server.cluster.create(widgets, { ...aWidget({}), metadata: { name: 'w', namespace: 'default' } });
  const passed = { ...aWidget({ color: 'red' }), metadata: { name: 'w', resourceVersion: '1' } };
  expect(applied(server, passed)).toMatch(/^409 Operation cannot be fulfilled on widgets\.example\.com "w"/);
});

it.each<[string, (server: ApiServer) => unknown]>([
  ['by an apply', (server) => apply(server, { color: 'green' }, { force: true, by: 'you' })],
  [
    'by another write',
    (server) => server.cluster.patch(widgets, widgetIn(server), { spec: { color: 'green' } }),
  ],
])('what somebody changes %s is theirs alone', (_, change) => {
  const server = aServer();
  apply(server, { color: 'red' });
  change(server);
  const refusal = apply(server, { color: 'blue' }, { by: 'they' });
  expect(refusal).toMatch(/^409 Apply failed with 1 conflict: conflict with ".*: \.spec\.color$/);
});

it("what somebody takes away is nobody's", () => {
  const server = aServer();
  apply(server, { color: 'red' });
  server.cluster.patch(widgets, widgetIn(server), { spec: { color: null } });
  expect(apply(server, { color: 'blue' }, { by: 'you' })).toBe('200');
});

const parts = (names: string[]) => ({ parts: names.map((name) => ({ name })), tags: names });

it.each<[string, string[], string[], string[]]>([
  ['before those it follows', ['b', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c']],
  ['after those that are only there', ['b', 'c'], ['a', 'c'], ['b', 'a', 'c']],
  ['at the end', ['a'], ['b'], ['a', 'b']],
  ['where it is wanted when the order is another', ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
])('puts an item %s', (_, present, wanted, merged) => {
  const server = aServer();
  apply(server, parts(present), { by: 'you' });
  apply(server, parts(wanted));
  expect(widgetIn(server).spec).toMatchObject({ ...parts(merged), tags: merged });
});

it('replaces a list that is one value, with an empty one too', () => {
  const server = aServer();
  apply(server, { args: ['a'] });
  apply(server, { args: [] });
  expect(widgetIn(server).spec).toEqual({ size: 3, args: [] });
});

it('keeps what is owned although it is not there', () => {
  const server = aServer();
  const empty = { ...aWidget({}), metadata: { name: 'w', annotations: {} } };
  applied(server, empty, { by: 'you' });
  server.cluster.patch(widgets, widgetIn(server), { spec: { color: 'red' } });
  expect(applied(server, empty)).toMatch(/conflict with "you": \.metadata\.annotations$/);
});

describe('a field of another manager', () => {
  it('is not changed unless it is forced, and belongs to whoever forced it then', () => {
    const server = aServer();
    apply(server, { color: 'red', parts: [{ name: 'a', size: 1 }], selector: { a: 'b' } });
    const wanted = { color: 'blue', parts: [{ name: 'a', size: 2 }], selector: { c: 'd' } };
    expect(apply(server, wanted, { by: 'you' })).toBe(
      '409 Apply failed with 3 conflicts: conflicts with "me":\n- .spec.color\n- .spec.parts[name="a"].size\n- .spec.selector',
    );
    expect(apply(server, wanted, { by: 'you', force: true })).toBe('200');
    expect(widgetIn(server).spec).toEqual({ size: 3, ...wanted });
    expect(apply(server, { color: 'red' })).toBe(
      '409 Apply failed with 1 conflict: conflict with "you": .spec.color',
    );
  });

  it('is told of by each of its owners', () => {
    const server = aServer();
    apply(server, { color: 'red' });
    apply(server, { color: 'red', size: 1 }, { by: 'you' });
    expect(apply(server, { color: 'blue', size: 2 }, { by: 'they' })).toBe(
      '409 Apply failed with 3 conflicts: conflicts with "me":\n- .spec.color\nconflicts with "you":\n- .spec.color\n- .spec.size',
    );
  });

  it('is theirs as well when both want the same', () => {
    const server = aServer();
    apply(server, { color: 'red' });
    const { resourceVersion } = widgetIn(server).metadata;
    expect(apply(server, { color: 'red' }, { by: 'you' })).toBe('200');
    expect(widgetIn(server).metadata.resourceVersion).not.toBe(resourceVersion);
    expect(apply(server, { color: 'blue' })).toMatch(/conflict with "you": \.spec\.color$/);
  });

  it('may be one that was written otherwise', () => {
    const server = aServer();
    apply(server, { color: 'red' });
    server.respond({
      method: 'PATCH',
      path,
      headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl/v1.32' },
      body: JSON.stringify({ spec: { color: 'blue' } }),
    });
    expect(apply(server, { color: 'red' })).toBe(
      '409 Apply failed with 1 conflict: conflict with "kubectl" using example.com/v1: .spec.color',
    );
    expect(apply(server, { color: 'blue' })).toBe('200');
  });

  it('may be one that nobody is known to have written', () => {
    const server = aServer();
    server.cluster.create(widgets, {
      ...aWidget({ color: 'red' }),
      metadata: { name: 'w', namespace: 'default' },
    });
    expect(apply(server, { color: 'blue' })).toMatch(
      /"before-first-apply" using example.com\/v1: \.spec\.color$/,
    );
    expect(apply(server, { color: 'red', size: 3 })).toBe('200');
  });
});
