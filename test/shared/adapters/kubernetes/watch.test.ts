import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { pods } from '../../../../shared/kubernetes/resources.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { failure, json, type Talk, talkTo } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

interface Seen {
  changes: [string, string][];
  /** What `ended` was called with. */
  ended: Promise<boolean>;
  ends: number;
  stop: () => void;
}

function watched(talk: Talk): Seen {
  const seen: Seen = { changes: [], ended: Promise.resolve(false), ends: 0, stop: () => undefined };
  seen.ended = new Promise((resolve) => {
    seen.stop = talk.kubernetes.watch(pods, { fieldSelector: 'spec.nodeName=n' }, '42', {
      changed: (type, { metadata }) => seen.changes.push([type, metadata.name]),
      ended: (expired) => {
        seen.ends += 1;
        resolve(expired);
      },
    });
  });
  return seen;
}

const line = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { kind: 'Pod', apiVersion: 'v1', metadata: { name } } })}\n`;

function streamed(response: ServerResponse, ...chunks: (string | Buffer)[]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const chunk of chunks) response.write(chunk);
}

async function inSmallPieces(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.writeHead(200);
  for (let at = 0; at < bytes.length; at += 7) {
    response.write(bytes.subarray(at, at + 7));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

test('the watch starts after the resourceVersion, with bookmarks and an end', async () => {
  await using talk = await talkTo((_, response) => response.writeHead(200).end());
  expect(await watched(talk).ended).toBe(false);
  expect(talk.seen).toMatchObject([
    {
      path: '/api/v1/pods',
      query: {
        watch: 'true',
        resourceVersion: '42',
        allowWatchBookmarks: 'true',
        timeoutSeconds: '300',
        fieldSelector: 'spec.nodeName=n',
      },
    },
  ]);
  expect(talk.reports).toMatchObject([{ verb: 'watch', resource: 'pods', code: 200 }]);
});

test('changes are told in order however the bytes are cut, bookmarks are not', async () => {
  const bytes = Buffer.from(
    line('ADDED', 'äöüäöüä') + line('BOOKMARK', '') + line('MODIFIED', 'b') + line('DELETED', 'c'),
  );
  await using talk = await talkTo((_, response) => void inSmallPieces(response, bytes));
  const seen = watched(talk);
  expect(await seen.ended).toBe(false);
  expect(seen.changes).toEqual([
    ['ADDED', 'äöüäöüä'],
    ['MODIFIED', 'b'],
    ['DELETED', 'c'],
  ]);
});

const tooOld = { type: 'ERROR', object: failure(410, 'Expired', 'too old resource version') };
const internal = { type: 'ERROR', object: failure(500, 'InternalError', 'etcd') };

test.each<[string, string, boolean]>([
  ['an ERROR with code 410', `${JSON.stringify(tooOld)}\n`, true],
  ['another ERROR', `${JSON.stringify(internal)}\n`, false],
  ['a line that is no JSON', '{"type":"ADDED",\n', false],
  ['a type nobody knows', line('CREATED', 'b'), false],
  ['an object without metadata', '{"type":"ADDED","object":{}}\n', false],
])('%s ends the stream, and what follows is not told', async (_, bad, expired) => {
  await using talk = await talkTo((__, response) =>
    streamed(response, line('ADDED', 'a') + bad + line('ADDED', 'c')),
  );
  const seen = watched(talk);
  expect(await seen.ended).toBe(expired);
  expect(seen.changes).toEqual([['ADDED', 'a']]);
  expect(seen.ends).toBe(1);
});

test('empty lines, as some proxies send to keep a stream alive, are passed over', async () => {
  await using talk = await talkTo((_, response) => {
    streamed(response, `${line('ADDED', 'a')}\n \r\n${line('ADDED', 'b')}`);
    response.end();
  });
  const seen = watched(talk);
  await seen.ended;
  expect(seen.changes).toEqual([
    ['ADDED', 'a'],
    ['ADDED', 'b'],
  ]);
});

test('who stops at a change is not told of the next one, though it has come with it', async () => {
  const clock = manualClock();
  await using talk = await talkTo(
    (_, response) => streamed(response, line('ADDED', 'a') + line('ADDED', 'b')),
    { clock },
  );
  const told: string[] = [];
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = talk.kubernetes.watch(pods, {}, '42', {
    changed: (_type, { metadata }) => {
      told.push(metadata.name);
      stop();
      resolve();
    },
    ended: () => told.push('the end'),
  });
  await stopped;
  await new Promise((proceed) => setImmediate(proceed));
  expect(told).toEqual(['a']);
  expect(clock.timers()).toBe(0);
});

test('a line that was cut off is not told', async () => {
  await using talk = await talkTo((_, response) => {
    streamed(response, line('ADDED', 'a') + line('ADDED', 'b').trimEnd());
    response.end();
  });
  const seen = watched(talk);
  await seen.ended;
  expect(seen.changes).toEqual([['ADDED', 'a']]);
});

test('a watch whose connection broke before it was answered is opened once more', async () => {
  await using talk = await talkTo((_, response, count) => {
    if (count === 1) response.destroy();
    else {
      streamed(response, line('ADDED', 'a'));
      response.end();
    }
  });
  const seen = watched(talk);
  expect(await seen.ended).toBe(false);
  expect(seen.changes).toEqual([['ADDED', 'a']]);
  expect(talk.seen).toHaveLength(2);
});

test('a watch whose connection breaks twice before it is answered is over', async () => {
  await using talk = await talkTo((_, response) => response.destroy());
  expect(await watched(talk).ended).toBe(false);
  expect(talk.seen).toHaveLength(2);
});

test('a broken connection ends the watch', async () => {
  await using talk = await talkTo((_, response) => {
    streamed(response, line('ADDED', 'a'));
    setTimeout(() => response.destroy(), 20);
  });
  expect(await watched(talk).ended).toBe(false);
});

test.each([
  [410, true],
  [500, false],
  [403, false],
])('a watch refused with %i ends at once', async (code, expired) => {
  await using talk = await talkTo((_, response) => json(response, code, failure(code, 'x', 'x')));
  expect(await watched(talk).ended).toBe(expired);
});

test('a refused watch leaves neither its connection nor a timer behind', async () => {
  const clock = manualClock();
  let gone = false;
  await using talk = await talkTo(
    (_, response) => {
      response.writeHead(500).write('an answer that goes on');
      response.on('close', () => {
        gone = true;
      });
    },
    { clock },
  );
  expect(await watched(talk).ended).toBe(false);
  await expect.poll(() => gone).toBe(true);
  expect(clock.timers()).toBe(0);
});

test('a stream that is silent past its time is given up', async () => {
  const clock = manualClock();
  await using talk = await talkTo((_, response) => streamed(response, line('ADDED', 'a')), {
    clock,
    watchTimeoutSeconds: 60,
  });
  const seen = watched(talk);
  await expect.poll(() => seen.changes).toHaveLength(1);
  await clock.advance(69_999);
  expect(seen.ends).toBe(0);
  await clock.advance(1);
  expect(await seen.ended).toBe(false);
});

test('after stop nothing is told, not even the end, and the server sees the connection go', async () => {
  let gone = false;
  await using talk = await talkTo((_, response) => {
    streamed(response, line('ADDED', 'a'));
    response.on('close', () => {
      gone = true;
    });
  });
  const seen = watched(talk);
  await expect.poll(() => seen.changes).toHaveLength(1);
  seen.stop();
  await expect.poll(() => gone).toBe(true);
  expect(seen.ends).toBe(0);
});

test('a watch stopped before it began tells nothing', async () => {
  await using talk = await talkTo((_, response) => streamed(response, line('ADDED', 'a')));
  const seen = watched(talk);
  seen.stop();
  await new Promise((resolve) => systemClock.after(30, () => resolve(undefined)));
  expect([seen.changes, seen.ends]).toEqual([[], 0]);
});

test('closing the connection ends its watches', async () => {
  await using talk = await talkTo((_, response) => streamed(response, line('ADDED', 'a')));
  const seen = watched(talk);
  await expect.poll(() => seen.changes).toHaveLength(1);
  await talk.kubernetes.close();
  expect(await seen.ended).toBe(false);
});

test('watches do not take connections away from requests', async () => {
  await using talk = await talkTo((request, response) =>
    'watch' in request.query
      ? streamed(response, line('ADDED', 'a'))
      : json(response, 200, { metadata: { name: 'p' } }),
  );
  const all = Array.from({ length: 80 }, () => watched(talk));
  await expect.poll(() => all.every(({ changes }) => changes.length === 1)).toBe(true);
  expect(await talk.kubernetes.get(pods, { namespace: 'default', name: 'p' })).toBeDefined();
});
