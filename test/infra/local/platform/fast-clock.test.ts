import { describe, expect, it } from 'vitest';
import { HurriedClock } from '../../../../infra/local/platform/fast-clock.ts';

describe('the clock that waits for nobody', () => {
  it('goes from timer to timer, in the order of their times', async () => {
    const clock = new HurriedClock(1_000);
    const told: string[] = [];
    clock.after(3_600_000, () => told.push(`late ${clock.now()}`));
    clock.after(60_000, () => {
      told.push(`soon ${clock.now()}`);
      clock.after(10, () => told.push(`next ${clock.now()}`));
    });
    await clock.passUntil(4_000_000, () => false);
    expect(told).toEqual(['soon 61000', 'next 61010', 'late 3601000']);
  });

  it('leaves alone what comes after the end, and what was taken back', async () => {
    const clock = new HurriedClock(0);
    let fired = 0;
    clock.after(11, () => (fired += 1));
    clock.after(5, () => (fired += 10))();
    await clock.passUntil(10, () => false);
    expect({ fired, now: clock.now() }).toEqual({ fired: 0, now: 0 });
  });

  it('stops as soon as it is over', async () => {
    const clock = new HurriedClock(0);
    let fired = 0;
    for (const milliseconds of [1, 2, 3]) clock.after(milliseconds, () => (fired += 1));
    await clock.passUntil(10, () => fired === 2);
    expect({ fired, now: clock.now() }).toEqual({ fired: 2, now: 2 });
  });
});
