import { expect, test } from 'vitest';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { failure, json, type Respond, talkTo, text } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

interface Served {
  [path: string]: object;
}

const group = (preferred: string, ...others: string[]) => ({
  kind: 'APIGroup',
  name: 'example.com',
  versions: [...others, preferred].map((version) => ({ groupVersion: `example.com/${version}`, version })),
  preferredVersion: { groupVersion: `example.com/${preferred}`, version: preferred },
});
const resources = (plurals: Record<string, string>) => ({
  kind: 'APIResourceList',
  resources: Object.entries(plurals).flatMap(([kind, name]) => [
    { name, kind },
    { name: `${name}/status`, kind },
  ]),
});
const groups = (...names: string[]) => ({ kind: 'APIGroupList', groups: names.map((name) => ({ name })) });

/** Which kinds a group serves, by version, the preferred one first. */
interface ServedKinds {
  [version: string]: Record<string, string>;
}

const overview = (kinds: Record<string, ServedKinds>, freshness = 'Current') => ({
  kind: 'APIGroupDiscoveryList',
  items: Object.entries(kinds).map(([name, versions]) => ({
    metadata: { name },
    versions: Object.entries(versions).map(([version, plurals]) => ({
      version,
      freshness,
      resources: Object.entries(plurals).map(([kind, resource]) => ({ resource, responseKind: { kind } })),
    })),
  })),
});

function serving(served: Served): Respond {
  return ({ path }, response) => {
    const body = served[path];
    if (body === undefined) text(response, 404, '404 page not found\n');
    else json(response, 200, body);
  };
}

test('the preferred version is taken, wherever it stands in the list', async () => {
  const served = {
    '/apis/example.com': group('v2', 'v1'),
    '/apis/example.com/v2': resources({ Thing: 'things' }),
  };
  await using talk = await talkTo(serving(served));
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toEqual({
    group: 'example.com',
    version: 'v2',
    plural: 'things',
  });
});

test('a kind that only an older version serves is found there', async () => {
  const served = {
    '/apis/example.com': group('v2', 'v1'),
    '/apis/example.com/v2': resources({ Other: 'others' }),
    '/apis/example.com/v1': resources({ Thing: 'things' }),
  };
  await using talk = await talkTo(serving(served));
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toMatchObject({ version: 'v1' });
});

test('answers are kept for ten minutes, and questions at the same time are asked once', async () => {
  const clock = manualClock();
  const served = {
    '/apis/example.com': group('v1'),
    '/apis/example.com/v1': resources({ Thing: 'things', It: 'its' }),
  };
  await using talk = await talkTo(serving(served), { clock });
  await Promise.all([
    talk.kubernetes.discover('example.com', 'Thing'),
    talk.kubernetes.discover('example.com', 'Thing'),
    talk.kubernetes.discover('example.com', 'It', 'v1'),
  ]);
  await clock.advance(599_999);
  await talk.kubernetes.discover('example.com', 'It');
  expect(talk.seen.map(({ path }) => path)).toEqual(['/apis', '/apis/example.com', '/apis/example.com/v1']);
  await clock.advance(1);
  await talk.kubernetes.discover('example.com', 'It');
  expect(talk.seen).toHaveLength(6);
});

test('what is absent is asked for again after five seconds, whatever the clock is set back to', async () => {
  const clock = manualClock();
  const served: Served = { '/apis/example.com': group('v1'), '/apis/example.com/v1': resources({}) };
  await using talk = await talkTo(serving(served), { clock });
  const find = () => talk.kubernetes.discover('example.com', 'Thing');
  expect(await find()).toBeUndefined();
  served['/apis/example.com/v1'] = resources({ Thing: 'things' });
  clock.setBack(3_600_000);
  await clock.advance(4_999);
  expect(await find()).toBeUndefined();
  await clock.advance(1);
  expect(await find()).toEqual({ group: 'example.com', version: 'v1', plural: 'things' });
});

test('a kind installed later is found five seconds after it was looked for in vain', async () => {
  const clock = manualClock();
  const served: Served = { '/apis/example.com': group('v1'), '/apis/example.com/v1': resources({}) };
  await using talk = await talkTo(serving(served), { clock });
  const find = () => talk.kubernetes.discover('example.com', 'Thing');
  expect(await find()).toBeUndefined();
  served['/apis/example.com/v1'] = resources({ Thing: 'things' });
  await clock.advance(4_999);
  expect(await find()).toBeUndefined();
  expect(talk.seen).toHaveLength(3);
  await clock.advance(1);
  expect(await find()).toMatchObject({ plural: 'things' });
});

test.each<[string, string | undefined]>([
  ['in one version', 'v1'],
  ['in any version', undefined],
])(
  'a group that the list of all groups does not name is absent %s, for five seconds',
  async (_in, version) => {
    const clock = manualClock();
    const served: Served = { '/apis': groups('apps') };
    await using talk = await talkTo(serving(served), { clock });
    const find = () => talk.kubernetes.discover('example.com', 'Thing', version);
    expect(await find()).toBeUndefined();
    expect(await find()).toBeUndefined();
    expect(talk.seen.map(({ path }) => path)).toEqual(['/apis', '/apis/example.com', '/apis']);
    Object.assign(served, {
      '/apis/example.com': group('v1'),
      '/apis/example.com/v1': resources({ Thing: 'things' }),
    });
    await clock.advance(5_000);
    expect(await find()).toMatchObject({ plural: 'things' });
  },
);

test('a version that is served is kept for ten minutes too', async () => {
  const clock = manualClock();
  const served = {
    '/apis/example.com': group('v2', 'v1'),
    '/apis/example.com/v1': resources({ Thing: 'things' }),
  };
  await using talk = await talkTo(serving(served), { clock });
  const find = () => talk.kubernetes.discover('example.com', 'Thing', 'v1');
  expect(await find()).toMatchObject({ version: 'v1' });
  await clock.advance(599_999);
  expect(await find()).toMatchObject({ version: 'v1' });
  expect(talk.seen).toHaveLength(3);
});

test('a version installed later is found five seconds after it was looked for in vain', async () => {
  const clock = manualClock();
  const served: Served = { '/apis/example.com': group('v1') };
  await using talk = await talkTo(serving(served), { clock });
  const find = () => talk.kubernetes.discover('example.com', 'Thing', 'v2');
  expect(await find()).toBeUndefined();
  Object.assign(served, {
    '/apis/example.com': group('v1', 'v2'),
    '/apis/example.com/v2': resources({ Thing: 'things' }),
  });
  await clock.advance(5_000);
  expect(await find()).toMatchObject({ version: 'v2' });
});

test('a group that prefers no version is taken as it says', async () => {
  const { preferredVersion: _, ...plain } = group('v1');
  const served = { '/apis/example.com': plain, '/apis/example.com/v1': resources({ Thing: 'things' }) };
  await using talk = await talkTo(serving(served));
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toMatchObject({ version: 'v1' });
});

test('kinds of the core group are found without asking for its versions', async () => {
  await using talk = await talkTo(serving({ '/api/v1': resources({ Node: 'nodes' }) }));
  expect(await talk.kubernetes.discover('', 'Node')).toEqual({ group: '', version: 'v1', plural: 'nodes' });
  expect(talk.seen.map(({ path }) => path)).toEqual(['/api/v1']);
});

test('a version the group does not have is absent', async () => {
  await using talk = await talkTo(serving({ '/apis/example.com': group('v1') }));
  expect(await talk.kubernetes.discover('example.com', 'Thing', 'v9')).toBeUndefined();
});

test('one answer tells the kinds of all groups, the preferred version first', async () => {
  const kinds = {
    'example.com': { v2: { Thing: 'things' }, v1: { Thing: 'things' } },
    'example.org': { v1: { It: 'its' } },
  };
  await using talk = await talkTo(serving({ '/apis': overview(kinds) }));
  const { kubernetes } = talk;
  expect(await kubernetes.discover('example.com', 'Thing')).toEqual({
    group: 'example.com',
    version: 'v2',
    plural: 'things',
  });
  expect(await kubernetes.discover('example.com', 'Thing', 'v1')).toMatchObject({ version: 'v1' });
  expect(await kubernetes.discover('example.org', 'It')).toMatchObject({ plural: 'its' });
  expect(talk.seen.map(({ path }) => path)).toEqual(['/apis']);
  expect(talk.seen[0]?.headers.accept).toBe(
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
  );
});

test('a kind that was installed after that answer is found at once', async () => {
  const clock = manualClock();
  const served: Served = { '/apis': overview({ 'example.com': { v1: { It: 'its' } } }) };
  await using talk = await talkTo(serving(served), { clock });
  await talk.kubernetes.discover('example.com', 'It');
  await clock.advance(300_000);
  served['/apis/example.com/v1'] = resources({ It: 'its', Thing: 'things' });
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toMatchObject({ plural: 'things' });
});

test('a group that was installed after that answer is found at once', async () => {
  const clock = manualClock();
  const served: Served = { '/apis': overview({ 'example.org': { v1: { It: 'its' } } }) };
  await using talk = await talkTo(serving(served), { clock });
  await talk.kubernetes.discover('example.org', 'It');
  await clock.advance(300_000);
  served['/apis/example.com'] = group('v1');
  served['/apis/example.com/v1'] = resources({ Thing: 'things' });
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toMatchObject({ plural: 'things' });
});

test('a group whose server did not answer for the overview is asked by itself', async () => {
  const served = {
    '/apis': overview({ 'example.com': { v1: {} } }, 'Stale'),
    '/apis/example.com': group('v1'),
    '/apis/example.com/v1': resources({ Thing: 'things' }),
  };
  await using talk = await talkTo(serving(served));
  expect(await talk.kubernetes.discover('example.com', 'Thing')).toMatchObject({ plural: 'things' });
});

test.each<[string, Respond]>([
  ['a 404 for a group that exists', serving({ '/apis': groups('example.com') })],
  ['a 404 for everything, as a proxy gives', serving({})],
  [
    'a 404 for a group, where the list of groups is a page to log in',
    ({ path }, response) => text(response, path === '/apis' ? 200 : 404, '<html>log in</html>'),
  ],
  ['a 404 for a version that exists', serving({ '/apis/example.com': group('v1') })],
  ['a group document that is none', serving({ '/apis/example.com': { hello: 1 } })],
  ['a resource list that is none', serving({ '/apis/example.com': group('v1'), '/apis/example.com/v1': {} })],
  ['503', (_, response) => json(response, 503, failure(503, 'ServiceUnavailable', 'later'))],
])('%s proves nothing, and is not remembered', async (_, respond) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.discover('example.com', 'Thing')).rejects.toThrow(Unavailable);
  const before = talk.seen.length;
  await expect(talk.kubernetes.discover('example.com', 'Thing')).rejects.toThrow(Unavailable);
  expect(talk.seen.length).toBeGreaterThan(before);
});
