import { describe, expect, test } from 'vitest';
import { configMaps, type Desk, desk, outcome, read, write } from './desk.ts';
import { refusals } from './invented.ts';
import type { Meddling } from './meddling.ts';

const { badGateway, forbidden, internal, notFoundPage, throttled, throttledForLong } = refusals;
const { throttledSomehow, timeout, unavailable } = refusals;

const get = 'Unavailable: GET namespaces/default/configmaps/a of https://management: ';

describe('a read', () => {
  test.each<[string, Meddling[], string, string[]]>([
    ['that meets nothing is answered', [], 'old', ['get 200']],
    ['that is refused is not asked again', ['refused'], `${get}connect ECONNREFUSED`, ['get unasked']],
    ['whose connection breaks is asked once more', [{ lost: 'before' }], 'old', ['get unasked', 'get 200']],
    ['whose answer is lost is asked once more', [{ lost: 'after' }], 'old', ['get 200', 'get 200']],
    [
      'whose connection breaks twice is given up',
      [{ lost: 'after' }, { lost: 'before' }],
      `${get}other side closed (UND_ERR_SOCKET)`,
      ['get 200', 'get unasked'],
    ],
    [
      'that is throttled for a second is asked again',
      [{ answer: throttled }],
      'old',
      ['get unasked', 'get 200'],
    ],
    [
      'that is throttled without a time is asked again',
      [{ answer: throttledSomehow }, { answerAfter: throttledSomehow }],
      'old',
      ['get unasked', 'get 200', 'get 200'],
    ],
    [
      'that is throttled for long is given up',
      [{ answer: throttledForLong }],
      `${get}429 Too many requests, please try again later.`,
      ['get unasked'],
    ],
    [
      'is asked three times of a server in trouble',
      [{ answer: internal }, { answer: badGateway }],
      'old',
      ['get unasked', 'get unasked', 'get 200'],
    ],
    [
      'is given up when the trouble goes on',
      [{ answer: unavailable }, { answerAfter: timeout }, { answer: unavailable }],
      `${get}503 ServiceUnavailable apiserver not ready`,
      ['get unasked', 'get 200', 'get unasked'],
    ],
    [
      'that is forbidden says so',
      [{ answer: forbidden }],
      `${get}403 Forbidden the request is forbidden: no RBAC policy matched`,
      ['get unasked'],
    ],
    [
      'does not take a page of a proxy for absence',
      [{ answer: notFoundPage }],
      `${get}404 default backend - 404`,
      ['get unasked'],
    ],
    [
      'without an answer is given up after its time',
      [{ silent: 'before' }],
      `${get}no answer within 10 s`,
      ['get unasked'],
    ],
    [
      'whose answer never comes is given up after its time',
      [{ silent: 'after' }],
      `${get}no answer within 10 s`,
      ['get 200'],
    ],
  ])('%s', async (_, meddlings, told, seen) => {
    const at = desk(...meddlings);
    expect(await outcome(at, read(at))).toBe(told);
    expect(at.seen).toEqual(seen);
    expect(at.defects).toEqual([]);
  });

  test.each([
    [1, 'old'],
    [2, 'undefined'],
    [3, 'new'],
  ])('may be answered from %i changes ago', async (stale, told) => {
    const at = desk();
    await write(at);
    at.meddlings.push({ stale });
    expect(await outcome(at, read(at))).toBe(told);
  });

  test('that is not known who asks makes the credentials doubted', async () => {
    const at = desk({ answer: refusals.unauthorized });
    const contacts: string[] = [];
    const kubernetes = at.connectTo('management', { onContact: (contact) => contacts.push(contact) });
    await outcome(at, read({ ...at, kubernetes }));
    await outcome(at, read({ ...at, kubernetes }));
    expect(contacts).toEqual(['unauthorized', 'answered']);
  });

  test('of a host where nobody listens is refused', async () => {
    const at = desk();
    const kubernetes = at.connectTo('elsewhere');
    const message = get.replace('management', 'elsewhere');
    expect(await outcome(at, read({ ...at, kubernetes }))).toBe(`${message}connect ECONNREFUSED`);
    expect(at.seen).toEqual(['get unasked']);
    expect(at.exchanges).toEqual([]);
  });

  test('does not take a mistake of the simulation for a fault of the server', async () => {
    const at = desk();
    const mistake = new Error('a mistake');
    at.server.respond = () => {
      throw mistake;
    };
    expect(await outcome(at, read(at), 9)).toBe('nothing');
    expect(at.defects).toEqual([mistake]);
  });
});

const list = async ({ kubernetes }: Desk): Promise<string> => {
  const { items } = await kubernetes.list(configMaps, { namespace: 'default' });
  return items.map(({ metadata: { name } }) => name).join(' ');
};
const deskWithThree = (...meddlings: Meddling[]): Desk => {
  const at = desk(...meddlings);
  for (const name of ['b', 'c'])
    at.server.cluster.create('configmaps', { metadata: { name, namespace: 'default' } });
  return at;
};

describe('a list', () => {
  const collection = 'Unavailable: GET namespaces/default/configmaps of https://management: ';

  test.each<[string, Meddling[], string, string[]]>([
    ['that meets nothing has all', [], 'a b c', ['list 200']],
    ['may come in pages', [{ pages: 1 }], 'a b c', ['list 200', 'list 200']],
    ['may come in many pages', [{ pages: 1 }, { pages: 1 }], 'a b c', ['list 200', 'list 200', 'list 200']],
    [
      'is asked anew when a later page is too old',
      [{ pages: 2 }, { answer: refusals.expired }],
      'a b c',
      ['list 200', 'list unasked', 'list 200'],
    ],
    [
      'is none when a later page fails',
      [{ pages: 2 }, { answer: internal }, { answer: internal }, { answer: internal }],
      `${collection}500 InternalError Internal error occurred: etcdserver: leader changed`,
      ['list 200', 'list unasked', 'list unasked', 'list unasked'],
    ],
    ['may be of two changes ago', [{ stale: 2 }], 'a', ['list 200']],
    ['is as of now when nobody knows what was then', [{ stale: 9 }], 'a b c', ['list 200']],
  ])('%s', async (_, meddlings, told, seen) => {
    const at = deskWithThree(...meddlings);
    expect(await outcome(at, list(at))).toBe(told);
    expect(at.seen).toEqual(seen);
  });
});
