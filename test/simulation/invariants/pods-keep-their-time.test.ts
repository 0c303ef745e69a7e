import { evict, nodeOf } from './asked.ts';
import { testsOf } from './cases.ts';
import { podsKeepTheirTime } from './pods-keep-their-time.ts';
import type { Stage } from './stage.ts';

/** As a Node is of whose kubelet nothing has been heard for long. */
function losesNode(stage: Stage): void {
  const status = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
  stage.world.cluster('blue').patch('nodes', nodeOf(stage), { status }, 'status');
}

const evictWithin = (seconds?: number) => (stage: Stage) =>
  stage.ask(evict(stage.pod('a'), undefined, seconds));

testsOf([
  {
    about: 'a Pod is given no time',
    invariant: podsKeepTheirTime,
    cries: 'instance-1 evicts Pod shop/a, with 0 s to stop in blue: its Node is heard from',
    act: evictWithin(0),
  },
  { about: 'a Pod is given its own time', invariant: podsKeepTheirTime, act: evictWithin() },
  {
    about: 'a Pod of a Node that nobody hears from is given a second',
    invariant: podsKeepTheirTime,
    before: losesNode,
    act: evictWithin(1),
  },
  {
    about: 'a Pod of such a Node is given no time at all',
    invariant: podsKeepTheirTime,
    cries: 'instance-1 evicts Pod shop/a, with 0 s to stop in blue: on such a Node it is 1 s',
    before: losesNode,
    act: evictWithin(0),
  },
]);
