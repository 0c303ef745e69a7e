import { alive } from '../stage/beside/fleet.ts';
import { budgetAllows, goesForGood, heldByABudget, inMidDrain } from '../stage/beside/scenes.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/hook-watchdog';
const minute = 60;

story(group, 'phaseout goes for good, and after half an hour the hook watchdog takes the hook off', {
  env: alive,
  thorough: true,
  scene(fleet) {
    inMidDrain(fleet);
    fleet.held('worker-2');
  },
  plot: goesForGood,
});

story(group, 'phaseout is away for less than half an hour, and goes on', {
  env: alive,
  scene: heldByABudget,
  async plot(fleet) {
    const deadMan = fleet.startDeadMan();
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.seconds(25 * minute);
    fleet.told.say('phaseout is back');
    back();
    await fleet.seconds(35 * minute);
    fleet.told.say(`the hook watchdog has looked ${deadMan.looks} times`);
    budgetAllows(fleet);
    await fleet.gone('worker-1');
  },
});
