import { expect, test } from 'vitest';
import { alive } from '../stage/beside/fleet.ts';
import { budgetAllows, heldByABudget } from '../stage/beside/scenes.ts';
import { besidePeer, recorded } from '../stage/story.ts';

const hour = 3_600;
const title = 'a budget blocks for eight hours';

test('a budget blocks for eight hours, and the hook watchdog leaves the hook while phaseout lives', async () => {
  const { text } = await besidePeer.play(
    {
      env: alive,
      scene: heldByABudget,
      async plot(fleet) {
        const deadMan = fleet.startDeadMan();
        fleet.delete('worker-1');
        await fleet.seconds(8 * hour);
        fleet.told.say(
          `the hook watchdog has looked ${deadMan.looks} times, and the hook is on: ${fleet.isHeld('worker-1')}`,
        );
        budgetAllows(fleet);
        await fleet.gone('worker-1');
      },
    },
    {},
  );
  expect(text).toBe(recorded('beside/hook-watchdog', title, text));
});
