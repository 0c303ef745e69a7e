import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

const some = (seed: number): number[] => {
  const random = createRandom(seed);
  return [random(), random(), random()];
};

describe('random numbers', () => {
  it('are the same for the same seed', () => {
    expect(some(7)).toStrictEqual(some(7));
  });

  it('are others for another seed', () => {
    expect(some(7)).not.toStrictEqual(some(8));
  });

  it('choose also what is undefined', () => {
    expect(createRandom(7).oneOf([undefined])).toBeUndefined();
  });

  it('of a fork do not depend on how many were taken before', () => {
    const [fresh, used] = [createRandom(7), createRandom(7)];
    for (let time = 0; time < 5; time += 1) used();
    expect(used.fork('Pods')()).toBe(fresh.fork('Pods')());
  });

  it('of two forks differ', () => {
    const random = createRandom(7);
    expect(random.fork('Pods')()).not.toBe(random.fork('Nodes')());
  });

  it('of seeds that follow one another have nothing in common', () => {
    const firsts = Array.from({ length: 1_000 }, (_, seed) => createRandom(seed).fork('x')());
    const halves = firsts.filter((number) => number < 0.5).length;
    expect(new Set(firsts).size).toBe(1_000);
    expect(halves).toBeGreaterThan(430);
    expect(halves).toBeLessThan(570);
  });

  it('between two bounds reach both and nothing beyond', () => {
    const random = createRandom(1);
    const numbers = Array.from({ length: 200 }, () => random.between(2, 4));
    expect(new Set(numbers)).toStrictEqual(new Set([2, 3, 4]));
  });

  it('choose every one of a list', () => {
    const random = createRandom(1);
    const chosen = new Set(Array.from({ length: 50 }, () => random.oneOf(['a', 'b', 'c'])));
    expect([...chosen].toSorted()).toStrictEqual(['a', 'b', 'c']);
  });

  it('cannot choose where there is none', () => {
    expect(() => createRandom(1).oneOf([])).toThrow('there is none to choose');
  });

  it.each([
    { share: 0, kept: [] },
    { share: 1, kept: ['a', 'b'] },
  ])('take $kept with the chance $share', ({ share, kept }) => {
    expect(createRandom(1).some(['a', 'b'], share)).toStrictEqual(kept);
  });
});
