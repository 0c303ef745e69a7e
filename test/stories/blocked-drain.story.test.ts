import type { ClusterStage } from './stage/cluster-stage.ts';
import type { Fleet } from './stage/fleet.ts';
import { policyDefinitions } from './stage/hook-definitions.ts';
import { hasRoom, mayAct, neverMissesAPod, rollsOut, shop } from './stage/shop.ts';
import { besidePeer, openShift, story } from './stage/story.ts';

const group = 'blocked-drain';
const beside = policyDefinitions;

const restart = { cause: 'BudgetNeverAllows', after: '2m', action: 'RolloutRestart' };

function workers(fleet: Fleet, blocked: readonly object[]): void {
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.drainPolicy('workers', { blocked });
}

const budgets = 'poddisruptionbudgets.policy';
const hasBudget = ({ server }: ClusterStage): boolean => server.cluster.list(budgets).length > 0;

/** Where instances forget since when, the cause never lasts: in the end somebody takes the budgets away. */
async function goes(fleet: ClusterStage, seconds = 400): Promise<void> {
  fleet.delete('worker-1');
  await fleet.seconds(seconds);
  if (fleet.machine('worker-1') !== undefined) takesBudgetsAway(fleet);
  await fleet.gone('worker-1');
}

function takesBudgetsAway(fleet: ClusterStage): void {
  const { cluster } = fleet.server;
  fleet.told.say('somebody deletes the budgets');
  for (const { metadata } of cluster.list(budgets)) cluster.remove(budgets, { metadata });
}

async function movesWithoutAGap(fleet: ClusterStage): Promise<void> {
  neverMissesAPod(fleet, 1, () => !hasBudget(fleet));
  await goes(fleet);
}

story(group, 'a single replica with a budget of one moves by a restart of its Deployment, without a gap', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [restart]);
    shop(fleet);
  },
  plot: movesWithoutAGap,
});

besidePeer.story(group, "the same beside Cluster API's own controller", {
  beside,
  ...rollsOut,
  env: mayAct.environment,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.drainPolicy('workers', { blocked: [restart] });
    shop(fleet);
  },
  plot: movesWithoutAGap,
});

openShift.story(group, 'the same with OpenShift', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.node('node-2');
    fleet.drainPolicy('workers', { blocked: [restart] });
    shop(fleet);
  },
  plot: movesWithoutAGap,
});

story(group, 'a Pod that two budgets select is deleted past them when its policy says so', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [{ cause: 'MultipleBudgets', after: '1m', action: 'Delete' }]);
    fleet.pod('web', 'node-1', { labels: { app: 'web' }, grace: 30, stopSeconds: 5 });
    for (const name of ['web', 'all'])
      fleet.budget(name, { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
  },
  plot: (fleet) => goes(fleet, 300),
});

story(group, 'without a grant nothing is asked, and the Machine says what is not granted', {
  beside,
  ...rollsOut,
  scene(fleet) {
    workers(fleet, [restart]);
    shop(fleet);
  },
  plot: (fleet) => goes(fleet, 300),
});

story(group, 'a restart whose new Pod does not come up is told and not tried again, and the old Pod stays', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [restart]);
    shop(fleet, { spec: { progressDeadlineSeconds: 60 } });
  },
  async plot(fleet) {
    neverMissesAPod(fleet, 1, () => !hasBudget(fleet));
    hasRoom(fleet, false);
    fleet.delete('worker-1');
    await fleet.seconds(400);
    hasRoom(fleet, true);
    await fleet.seconds(400);
    if (fleet.machine('worker-1') !== undefined) takesBudgetsAway(fleet);
    await fleet.gone('worker-1');
  },
});

story(group, 'no Pod is deleted in the midst of our restart, whatever its cause becomes', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [restart, { cause: 'BudgetExhausted', after: '1m', action: 'Delete' }]);
    shop(fleet);
  },
  async plot(fleet) {
    neverMissesAPod(fleet, 1, () => !hasBudget(fleet));
    hasRoom(fleet, false);
    fleet.delete('worker-1');
    await fleet.seconds(300);
    hasRoom(fleet, true);
    await fleet.seconds(400);
    if (fleet.machine('worker-1') !== undefined) takesBudgetsAway(fleet);
    await fleet.gone('worker-1');
  },
});

story(group, 'a Deployment that may miss a Pod is not restarted, and the Machine says why', {
  beside,
  ...rollsOut,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [restart]);
    shop(fleet, { spec: { strategy: { type: 'Recreate' } } });
  },
  plot: (fleet) => goes(fleet, 300),
});

story(group, 'a Pod whose eviction a webhook denies is deleted once its policy says so', {
  beside,
  ...mayAct,
  scene(fleet) {
    workers(fleet, [{ cause: 'AdmissionWebhook', after: '1m', action: 'Delete' }]);
    fleet.pod('vm', 'node-1', { stopSeconds: 5 });
  },
  async plot(fleet) {
    const message = 'admission webhook "vms.example" denied the request: it is not moved yet';
    const end = fleet.fail(({ resource }) =>
      resource === 'pods/eviction' ? { kind: 'answer', code: 403, message } : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(300);
    end();
    await fleet.gone('worker-1');
  },
});
