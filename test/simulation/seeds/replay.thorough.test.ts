import { describe, expect, it } from 'vitest';
import { replay } from '../command/replay.ts';

const options = { only: undefined, without: [] };
const told = async (seed: number): Promise<string> => (await replay(seed, options)).text;

describe('a seed', () => {
  it.each([3, 8, 21])('is the same story every time: %i', async (seed) => {
    expect(await told(seed)).toBe(await told(seed));
  });

  it('is another story than the next one', async () => {
    const [one, other] = await Promise.all([told(3), told(4)]);
    expect(one).not.toBe(other);
  });

  it('is played without the faults that are switched off', async () => {
    const { text } = await replay(3, { only: [], without: [] });
    expect(text).toContain('no fault strikes');
  });
});
