import { describe, expect, test } from 'vitest';
import type { Random } from '../random.ts';
import type { Deed, Scenario } from '../scenario/model.ts';
import { played, strike, sweeps } from './play.ts';
import { replayAt } from './replay.ts';
import { stories } from './stories.ts';
import type { Story } from './story.ts';
import { findingsOf, findingText, isUnexpected } from './summary.ts';
import { sweepNames } from './sweep.ts';
import { sweepStory } from './sweep-story.ts';

/** One of so many points is played here, in each story another one; `npm run simulate -- --sweep all` plays all. */
const share = 83;

async function unexpectedIn(story: Story, offset: number): Promise<string[]> {
  const isMine = (index: number): boolean => (index + 7 * offset) % share === 0;
  const reports = await sweepStory(story, sweepNames, isMine);
  expect(reports.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThan(0);
  return reports.flatMap(findingsOf).filter(isUnexpected).map(findingText);
}

describe('whatever goes wrong in it, one thing at a time, nothing is violated in the story', () => {
  test.each(stories.map((story, index) => [story.name, story, index] as const))(
    '%s',
    async (_name, story, index) => {
      expect(await unexpectedIn(story, index)).toEqual([]);
    },
  );
});

const plain = stories.find(({ name }) => name === 'plain')!;

describe('a sweep', () => {
  test.each([
    {
      name: 'crash',
      what: 'create pods/eviction shop/a of blue by instance-1',
      ways: ['before it', 'after it'],
    },
    {
      name: 'refuse',
      what: 'create pods/eviction shop/a of blue by instance-1',
      ways: ['409', '500', '503 after it was done', '403', 'silence'],
    },
    {
      name: 'events',
      what: 'dev.knative.sources.ping of everybody to /sweep',
      ways: ['is lost', 'comes twice'],
    },
    {
      name: 'stale',
      what: 'get secrets fleet/blue-kubeconfig of management by instance-1, the first of its kind',
      ways: ['as 1 changes ago, when it was not there'],
    },
  ] as const)('of $name finds each way of an occasion', async ({ name, what, ways }) => {
    const { [name]: points } = (await played(plain)).points;
    const first = points.find((point) => point.what === what);
    const ofFirst = points.filter(({ occasion }) => occasion === first?.occasion);
    expect(ofFirst.map(({ way }) => way)).toEqual(ways);
  });

  test('of a story that violates something as it is plays nothing else', async () => {
    const deeds: Deed[] = [{ at: 0, run: (world) => world.violate('the deed', 'it was done') }];
    const scenario = (random: Random): Scenario => ({ ...plain.scenario(random), deeds });
    const reports = await sweepStory({ ...plain, scenario }, ['crash'], () => true);
    const found = [{ at: 0, what: 'as it is', violated: 'the deed: it was done' }];
    expect(reports).toEqual([{ story: 'plain', sweep: 'crash', runs: 0, found }]);
  });

  test('can tell of one of its runs', async () => {
    const told = await replayAt(plain, 'refuse', 1);
    const [title, ...lines] = (told?.text ?? '').split('\n');
    const what = 'get machines.cluster.x-k8s.io fleet/blue-worker-1 of management by instance-1';
    expect(title).toMatch(new RegExp(`^Story plain, refuse 1 of \\d+: ${what}, 500$`));
    expect(lines.filter((line) => line.includes('[refuse'))).toEqual([
      expect.stringContaining(`answers ${what} with 500  [refuse on instance-1 during drain]`),
    ]);
    expect(told?.isWell).toBe(true);
    expect(await replayAt(plain, 'refuse', 100_000)).toBeUndefined();
  });

  test('is the same each time', async () => {
    const [one, other] = [await played(plain), await played(plain)];
    expect(other).toEqual(one);
  });

  test('says so when what it was to strike does not come', async () => {
    const point = { occasion: 100_000, what: 'the end of the world', way: 'before it' };
    const { violations } = await strike(plain, sweeps.crash, point);
    expect(violations).toEqual(['the sweep: the end of the world did not come']);
  });
});
