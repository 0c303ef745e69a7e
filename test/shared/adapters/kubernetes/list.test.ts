import { expect, test } from 'vitest';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
import { failure, json, type Respond, talkTo, text } from './local-server.ts';

const expired = failure(410, 'Expired', 'The provided continue parameter is too old');

function page(names: string[], continueToken: string, resourceVersion = '7'): object {
  const items = names.map((name) => ({ metadata: { name } }));
  return {
    kind: 'NodeList',
    apiVersion: 'v1',
    metadata: { resourceVersion, continue: continueToken },
    items,
  };
}

/** Answers one after another, the last one again and again. */
function inTurn(...answers: Respond[]): Respond {
  return (request, response, count) =>
    answers[Math.min(count, answers.length) - 1]!(request, response, count);
}

const pages =
  (names: string[], token: string): Respond =>
  (_, response) =>
    json(response, 200, page(names, token));
const gone: Respond = (_, response) => json(response, 410, expired);

test('of each page only what is made of its items is held', async () => {
  await using talk = await talkTo(inTurn(pages(['a', 'b'], 'T1'), pages(['c', 'd'], '')));
  const { items } = await talk.kubernetes.list(nodes, {}, ({ metadata: { name } }) =>
    'bd'.includes(name) ? { metadata: { name: name.toUpperCase() } } : undefined,
  );
  expect(items).toEqual([{ metadata: { name: 'B' } }, { metadata: { name: 'D' } }]);
});

test('pages are asked for with a limit and joined in order', async () => {
  await using talk = await talkTo(inTurn(pages(['a', 'b'], 'T1'), pages(['c'], 'T2'), pages([], '')));
  const { items, resourceVersion } = await talk.kubernetes.list(nodes, {
    labelSelector: 'a in (b,c),!d',
    fieldSelector: 'metadata.name=x',
  });
  expect(resourceVersion).toBe('7');
  expect(items).toEqual([
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b' } },
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'c' } },
  ]);
  const selection = { limit: '500', labelSelector: 'a in (b,c),!d', fieldSelector: 'metadata.name=x' };
  expect(talk.seen.map(({ query }) => query)).toEqual([
    selection,
    { ...selection, continue: 'T1' },
    { ...selection, continue: 'T2' },
  ]);
  expect(talk.reports).toMatchObject([{ verb: 'list' }, { verb: 'list' }, { verb: 'list' }]);
});

test('a list that expires between pages is read from the start, once', async () => {
  await using talk = await talkTo(inTurn(pages(['a'], 'T1'), gone, pages(['b'], 'T2'), pages(['c'], '')));
  const { items } = await talk.kubernetes.list(nodes);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  expect(talk.seen.map(({ query }) => query['continue'])).toEqual([undefined, 'T1', undefined, 'T2']);
});

test('a list that expires twice could not be read', async () => {
  await using talk = await talkTo(inTurn(pages(['a'], 'T1'), gone, pages(['b'], 'T2'), gone));
  await expect(talk.kubernetes.list(nodes)).rejects.toThrow(
    'the list expired twice while its pages were read',
  );
  expect(talk.seen).toHaveLength(4);
});

test('a server that gives the same token for ever is not read for ever', async () => {
  await using talk = await talkTo(pages(['a'], 'T1'));
  await expect(talk.kubernetes.list(nodes)).rejects.toThrow(Unavailable);
  expect(talk.seen).toHaveLength(4);
});

test.each<[string, Respond]>([
  ['an error', (_, response) => json(response, 500, failure(500, 'InternalError', 'etcd'))],
  ['a text 404', (_, response) => text(response, 404, '404 page not found\n')],
  ['a broken connection', (_, response) => response.destroy()],
  ['a page that is no list', (_, response) => json(response, 200, { kind: 'Node', metadata: { name: 'a' } })],
  ['a page without resourceVersion', (_, response) => json(response, 200, { metadata: {}, items: [] })],
  ['a page without metadata', (_, response) => json(response, 200, { items: [] })],
  ['a page that is nothing', (_, response) => json(response, 200, null)],
  [
    'a page with a token that is no text',
    (_, response) => json(response, 200, { metadata: { resourceVersion: '1', continue: 5 }, items: [] }),
  ],
  [
    'items without names',
    (_, response) => json(response, 200, { metadata: { resourceVersion: '1' }, items: [{ metadata: {} }] }),
  ],
  [
    'items that are no objects',
    (_, response) => json(response, 200, { metadata: { resourceVersion: '1' }, items: [{}] }),
  ],
])('%s on the second page loses the first one too', async (_, second) => {
  await using talk = await talkTo(inTurn(pages(['a'], 'T1'), second));
  await expect(talk.kubernetes.list(nodes)).rejects.toThrow(Unavailable);
});

test('no items is an answer', async () => {
  const empty = { metadata: { resourceVersion: '3' }, items: null };
  await using talk = await talkTo((_, response) => json(response, 200, empty));
  expect(await talk.kubernetes.list(nodes)).toEqual({ items: [], resourceVersion: '3' });
});

test.each<[string, object, object]>([
  ['a list that does not say of what', {}, {}],
  ['a list of several kinds', { kind: 'Mixture', apiVersion: 'v1' }, {}],
  ['a list without a version', { kind: 'NodeList' }, {}],
  [
    'a list of another kind than its items',
    { kind: 'NodeList', apiVersion: 'v1' },
    { kind: 'Other', apiVersion: 'v2' },
  ],
])('items of %s are what they say themselves', async (_what, about, item) => {
  const items = [{ ...item, metadata: { name: 'a' } }];
  const body = { ...about, metadata: { resourceVersion: '3' }, items };
  await using talk = await talkTo((_, response) => json(response, 200, body));
  expect((await talk.kubernetes.list(nodes)).items).toEqual(items);
});

test('a list that expired is asked for again by the same selection, from its first page on', async () => {
  await using talk = await talkTo(inTurn(pages(['a'], 'T1'), gone, pages(['a'], '')));
  const selection = { labelSelector: 'a=b', fieldSelector: 'metadata.name=x' };
  await talk.kubernetes.list(nodes, selection);
  const asked = { limit: '500', ...selection };
  expect(talk.seen.map(({ query }) => query)).toEqual([asked, { ...asked, continue: 'T1' }, asked]);
});
