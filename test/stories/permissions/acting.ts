import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import type { BesideOpenShiftFleet } from '../stage/beside/openshift-fleet.ts';
import type { ClusterStage } from '../stage/cluster-stage.ts';
import type { Fleet } from '../stage/fleet.ts';
import { policyDefinitions } from '../stage/hook-definitions.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { mayAct, rollsOut, shop } from '../stage/shop.ts';
import { besideOpenShift, besidePeer, openShift, play } from '../stage/story.ts';

const blocked = [
  { cause: 'BudgetNeverAllows', after: '30s', action: 'RolloutRestart' },
  { cause: 'MultipleBudgets', after: '30s', action: 'Delete' },
];

/** A Deployment that is restarted, with a volume that is shared, and a Pod that is deleted. */
function isBlocked(fleet: ClusterStage): void {
  fleet.drainPolicy('workers', { blocked });
  fleet.node('node-2');
  shop(fleet, { claim: 'data' });
  const labels = { app: 'db' };
  fleet.pod('db', 'node-1', { labels });
  for (const name of ['db', 'all'])
    fleet.budget(name, { maxUnavailable: 1, selector: { matchLabels: labels } });
}

const plot = async (fleet: ClusterStage): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

const parts = { beside: policyDefinitions, ...rollsOut, plot };

const heldPlot = async (fleet: BesideFleet | BesideOpenShiftFleet): Promise<void> => {
  await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
  await plot(fleet);
};

/** DrainPolicies act on Pods, by the Machine API and the mode. */
export const acting = {
  capi: () =>
    play(
      {
        ...parts,
        ...mayAct,
        scene(fleet: Fleet) {
          fleet.cluster();
          fleet.worker('worker-1');
          isBlocked(fleet);
        },
      },
      {},
    ),
  openshift: () =>
    openShift.play(
      {
        ...parts,
        ...mayAct,
        scene(fleet: OpenShiftFleet) {
          fleet.machineThatRuns('worker-1');
          isBlocked(fleet);
        },
      },
      {},
    ),
  'capi:beside': () =>
    besidePeer.play(
      {
        ...parts,
        env: { ...alive, ...mayAct.environment },
        scene(fleet: BesideFleet) {
          fleet.cluster();
          fleet.held('worker-1');
          isBlocked(fleet);
        },
      },
      {},
    ),
  'openshift:beside': () =>
    besideOpenShift.play(
      {
        ...parts,
        env: { ...alive, ...mayAct.environment },
        scene(fleet: BesideOpenShiftFleet) {
          fleet.machineThatRuns('worker-1');
          isBlocked(fleet);
        },
        plot: heldPlot,
      },
      {},
    ),
};
