import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

describe('the virtual clock', () => {
  it('fires timers by their time, those of one time in the order in which they were set', () => {
    const clock = new VirtualClock(1_000);
    const fired: string[] = [];
    const set = (name: string, milliseconds: number) => clock.after(milliseconds, () => fired.push(name));
    set('late', 30);
    set('first at 20', 20);
    set('soon', 10);
    const cancel = set('cancelled', 20);
    set('second at 20', 20);
    cancel();
    cancel();
    while (clock.step(1_025));
    expect(fired).toEqual(['soon', 'first at 20', 'second at 20']);
    expect(clock.now()).toBe(1_025);
    expect(clock.step(1_030)).toBe(true);
    expect(fired.at(-1)).toBe('late');
  });

  it('fires in the same step of time what a timer sets for now', () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.after(5, () => void clock.after(0, () => fired.push(`now at ${clock.now()}`)));
    clock.after(5, () => fired.push('as set before'));
    while (clock.step(5));
    expect(fired).toEqual(['as set before', 'now at 5']);
  });
});
