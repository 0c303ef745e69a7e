import type { BesideFleet } from './fleet.ts';
import type { BesideOpenShiftFleet } from './openshift-fleet.ts';

/** A Node whose first Pods go, and whose last one a budget holds. */
export function heldByABudget(fleet: BesideFleet): void {
  fleet.cluster();
  fleet.held('worker-1');
  fleet.held('worker-2');
  fleet.pods('web', 2, 'node-1');
  fleet.replicas('shop', 1, 'node-1');
  fleet.budget('shop', { maxUnavailable: 0, selector: { matchLabels: { app: 'shop' } } });
}

/** The budget that holds the last Pod goes. */
export function budgetAllows(fleet: BesideFleet): void {
  fleet.told.say('the budget allows it');
  fleet.server.cluster.remove('poddisruptionbudgets.policy', {
    metadata: { name: 'shop', namespace: 'shop' },
  });
}

/** A Node whose Pods go in two waves. The first takes its time. */
export function inMidDrain(fleet: BesideFleet): void {
  fleet.cluster();
  fleet.held('worker-1');
  fleet.pods('web', 2, 'node-1', { stopSeconds: 20 });
  fleet.rule('late', {
    drain: { behavior: 'Drain', order: 10 },
    pods: [{ selector: { matchLabels: { wave: 'late' } } }],
  });
  fleet.pods('late', 2, 'node-1', { labels: { wave: 'late' }, order: 10 });
}

/** phaseout goes in mid-drain of the first Machine, and never comes back. */
export async function goesForGood(fleet: BesideFleet | BesideOpenShiftFleet): Promise<void> {
  fleet.startDeadMan();
  await fleet.seconds(200);
  fleet.delete('worker-1');
  await fleet.seconds(15);
  fleet.told.say('phaseout is away');
  const back = fleet.away();
  await fleet.gone('worker-1');
  fleet.told.say(`worker-2 lives, and has the hook: ${fleet.isHeld('worker-2')}`);
  back();
}
