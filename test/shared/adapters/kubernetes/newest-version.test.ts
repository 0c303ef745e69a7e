import { describe, expect, test } from 'vitest';
import { NewestSeen } from '../../../../shared/adapters/kubernetes/reads.ts';
import type { Kubernetes, ObjectList } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { nodes, pods } from '../../../../shared/kubernetes/resources.ts';
import { json, type Respond, talkTo } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

const listOf = (resourceVersion: string): ObjectList => ({ items: [], resourceVersion });
const nodeOf = (resourceVersion: string) => ({ metadata: { name: 'n', resourceVersion } });

/** Lists one after the other; what is asked of it beyond them is a mistake. */
const server =
  (...versions: string[]) =>
  () =>
    Promise.resolve(listOf(versions.shift()!));

interface Case {
  about: string;
  before: (seen: NewestSeen) => unknown;
  versions: string[];
  /** Of the list that is believed. */
  believed: string | undefined;
}

const cases: Case[] = [
  { about: 'is believed when nothing was seen before', before: () => 0, versions: ['7'], believed: '7' },
  {
    about: 'is believed when an object is older',
    before: (seen) => seen.object(nodes, nodeOf('6')),
    versions: ['7'],
    believed: '7',
  },
  {
    about: 'is believed when an object is as new',
    before: (seen) => seen.object(nodes, nodeOf('7')),
    versions: ['7'],
    believed: '7',
  },
  {
    about: 'older than an object is asked for once more',
    before: (seen) => seen.object(nodes, nodeOf('10')),
    versions: ['9', '10'],
    believed: '10',
  },
  {
    about: 'older than what was written is asked for once more',
    before: (seen) => seen.written(nodes, { kind: 'written', object: nodeOf('10') }),
    versions: ['9', '11'],
    believed: '11',
  },
  {
    about: 'older than another list is asked for once more',
    before: (seen) => seen.list(nodes, server('10')),
    versions: ['9', '11'],
    believed: '11',
  },
  {
    about: 'that is too old twice is not believed',
    before: (seen) => seen.object(nodes, nodeOf('10')),
    versions: ['9', '9'],
    believed: undefined,
  },
  {
    about: 'is not compared with another resource',
    before: (seen) => seen.object(pods, nodeOf('10')),
    versions: ['9'],
    believed: '9',
  },
  {
    about: 'is not compared with an object of no version',
    before: (seen) => seen.object(nodes, { metadata: { name: 'n' } }),
    versions: ['9'],
    believed: '9',
  },
  {
    about: 'is not compared with what is no number',
    before: (seen) => seen.object(nodes, nodeOf('b1')),
    versions: ['9'],
    believed: '9',
  },
  {
    about: 'is not compared with what only begins or ends with a number',
    before: (seen) => [seen.object(nodes, nodeOf('10a')), seen.object(nodes, nodeOf('a10'))],
    versions: ['9'],
    believed: '9',
  },
  {
    about: 'is held to the newest object, though others have not changed for longer',
    before: (seen) => [seen.object(nodes, nodeOf('10')), seen.object(nodes, nodeOf('5'))],
    versions: ['9', '10'],
    believed: '10',
  },
  {
    about: 'is held to the newest object, though others have no version that could be compared',
    before: (seen) => [seen.object(nodes, nodeOf('10')), seen.object(nodes, nodeOf('b1'))],
    versions: ['9', '10'],
    believed: '10',
  },
  {
    about: 'of a version that is no number is believed',
    before: (seen) => seen.object(nodes, nodeOf('10')),
    versions: ['a9'],
    believed: 'a9',
  },
  {
    about: 'is not compared with a write that did not come to pass',
    before: (seen) => seen.written(nodes, { kind: 'conflict', message: 'it has changed' }),
    versions: ['9'],
    believed: '9',
  },
];

describe('a list', () => {
  test.each(cases)('$about', async ({ before, versions, believed }) => {
    const seen = new NewestSeen(manualClock());
    await before(seen);
    const answer = await seen.list(nodes, server(...versions)).catch((error: unknown) => error);
    expect(answer instanceof Unavailable ? undefined : answer).toEqual(believed && listOf(believed));
  });

  test('is not held to what was shown while it was under way', async () => {
    const seen = new NewestSeen(manualClock());
    const list = await seen.list(nodes, async () => {
      seen.object(nodes, nodeOf('10'));
      return listOf('9');
    });
    expect(list.resourceVersion).toBe('9');
  });

  test('of a cluster that was restored is believed after a minute', async () => {
    const clock = manualClock();
    const seen = new NewestSeen(clock);
    seen.object(nodes, nodeOf('10'));
    await clock.advance(60_000);
    await expect(seen.list(nodes, server('9', '9'))).rejects.toThrow(
      'the list of nodes is of version 9, and 10 was seen before: the API server has fallen behind',
    );
    await clock.advance(1);
    expect((await seen.list(nodes, server('9'))).resourceVersion).toBe('9');
  });
});

test('a version is remembered for a minute from when it was last shown', async () => {
  const clock = manualClock();
  const seen = new NewestSeen(clock);
  seen.object(nodes, nodeOf('10'));
  await clock.advance(40_000);
  seen.object(nodes, nodeOf('10'));
  await clock.advance(40_000);
  expect((await seen.list(nodes, server('9', '10'))).resourceVersion).toBe('10');
});

test('what was seen is held against a list for a minute, whatever the clock is set back to', async () => {
  const clock = manualClock();
  const seen = new NewestSeen(clock);
  seen.object(nodes, nodeOf('10'));
  clock.setBack(3_600_000);
  await clock.advance(60_000);
  await expect(seen.list(nodes, server('9', '9'))).rejects.toThrow('the API server has fallen behind');
  await clock.advance(1);
  expect((await seen.list(nodes, server('9'))).resourceVersion).toBe('9');
});

const anOldList: Respond = ({ path }, response) =>
  path.endsWith('/n')
    ? json(response, 200, { apiVersion: 'v1', kind: 'Node', ...nodeOf('10') })
    : json(response, 200, {
        kind: 'NodeList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '9' },
        items: [],
      });

const name = { name: 'n' };

test.each<[string, (kubernetes: Kubernetes) => Promise<unknown>]>([
  ['read', (kubernetes) => kubernetes.get(nodes, name)],
  ['patched', (kubernetes) => kubernetes.mergePatch(nodes, name, { spec: { unschedulable: true } })],
  ['patched by operations', (kubernetes) => kubernetes.jsonPatch(nodes, name, [])],
])('a connection holds lists to what it has %s', async (_done, ask) => {
  await using talk = await talkTo(anOldList);
  expect((await talk.kubernetes.list(nodes)).items).toEqual([]);
  await ask(talk.kubernetes);
  await expect(talk.kubernetes.list(nodes)).rejects.toThrow('10 was seen before');
  expect(talk.seen).toHaveLength(4);
});

const machinesOf = (group: string) => ({ group, version: 'v1beta1', plural: 'machines' });

test('versions of two resources of one name are not compared: each group may have a store of its own', async () => {
  const seen = new NewestSeen(manualClock());
  await seen.list(machinesOf('cluster.x-k8s.io'), server('10'));
  expect(await seen.list(machinesOf('machine.openshift.io'), server('7'))).toEqual(listOf('7'));
});
