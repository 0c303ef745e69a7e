import { expect, test } from 'vitest';
import { Cache, rememberVainSearch } from '../../../shared/cache/cache.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

test('a search that fails counts its tries, and the time between them, of a pause twenty seconds', async () => {
  const clock = manualClock();
  const cache = new Cache(clock);
  const fail = () => rememberVainSearch(cache, 'uid-1');
  expect(fail()).toMatchObject({ times: 1, milliseconds: 0 });
  await clock.advance(5_000);
  expect(fail()).toMatchObject({ times: 2, milliseconds: 5_000 });
  await clock.advance(3_600_000);
  expect(fail()).toMatchObject({ times: 3, milliseconds: 25_000 });
  expect(rememberVainSearch(cache, 'uid-2')).toMatchObject({ times: 1, milliseconds: 0 });
  cache.rememberGone('uid-1');
  expect(fail()).toMatchObject({ times: 1, milliseconds: 0 });
});
