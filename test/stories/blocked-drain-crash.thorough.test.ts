import { expect, it } from 'vitest';
import { movingShop } from './stage/shop.ts';
import { play } from './stage/story.ts';

it('a Deployment is restarted once, and no Pod is missing, if the instance dies after any of its requests', {
  timeout: 120_000,
}, async () => {
  const { requests } = await play(movingShop(1), {});
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0);
  for (let request = 1; request <= all; request += 1)
    await play(movingShop(1), { diesAfterRequest: request });
  expect(all).toBeGreaterThan(20);
});
