import type { Random } from '../random.ts';
import type { Deed } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { type DeploymentPlan, deployments, rollouts, spareNode } from './deployments.ts';

interface Change {
  what: string;
  patch: object;
}

const restartedByHand = {
  template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'by hand' } } },
};

/** What people do to a Deployment, first and some time after that. */
const changes: readonly (readonly Change[])[] = [
  [{ what: 'restarts', patch: restartedByHand }],
  [
    { what: 'pauses', patch: { paused: true } },
    { what: 'resumes', patch: { paused: null } },
  ],
  [{ what: 'scales to two', patch: { replicas: 2 } }],
  [{ what: 'has recreated from now on', patch: { strategy: { type: 'Recreate', rollingUpdate: null } } }],
];

/** Somebody changes some of the Deployments, and for a while there is no room for new Pods. */
export function deploymentDeeds(random: Random, plans: readonly DeploymentPlan[], calmAt: number): Deed[] {
  const moments = (count: number): number[] =>
    Array.from({ length: count }, () => random.between(0, calmAt - 1)).toSorted((one, other) => one - other);
  const changed = random.some(plans, 0.2).flatMap((plan) => {
    const steps = random.oneOf(changes);
    const times = moments(steps.length);
    return steps.map(
      (change, index): Deed => ({ at: times[index] ?? 0, run: (world) => alter(world, plan, change) }),
    );
  });
  const hosts = [...new Set(plans.map(({ host }) => host))];
  const filled = random.some(hosts, 0.15).flatMap((host) => {
    const [from = 0, to = 0] = moments(2);
    return [from, to].map((at): Deed => ({ at, run: (world) => setRoom(world, host, at === from) }));
  });
  return [...changed, ...filled];
}

function alter(world: World, { host, name }: DeploymentPlan, { what, patch }: Change): void {
  const found = world.cluster(host).get(deployments, rollouts, name);
  if (found === undefined) return;
  world.say('a user', `${what} the Deployment ${rollouts}/${name} of ${host}`);
  world.cluster(host).patch(deployments, found, { spec: patch });
}

function setRoom(world: World, host: string, isFull: boolean): void {
  const cluster = world.cluster(host);
  const found = cluster.get('nodes', undefined, spareNode);
  if (found === undefined) return;
  world.say('somebody', `${isFull ? 'cordons' : 'uncordons'} the Node ${spareNode} of ${host}`);
  cluster.patch('nodes', found, { spec: { unschedulable: isFull ? true : null } });
}
