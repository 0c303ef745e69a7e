import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { drainPolicies } from '../drain-policies/with-policies.ts';
import { evict } from '../invariants/asked.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { exchangeOf, openStage, type Stage } from '../invariants/stage.ts';
import { setReady } from '../scenario/build/power.ts';
import type { Exchange } from '../wire/exchange.ts';
import { buildDeployment, deployments, rollouts } from './deployments.ts';

/** A stage with the Deployment `rollouts/web`, whose only Pod is available on the Node of `m1`. */
export async function openRestartStage(invariant: Invariant): Promise<Stage> {
  const stage = await openStage(invariant);
  setReady(stage.world, 'blue', 'node-1', 'True');
  buildDeployment(stage.world, {
    host: 'blue',
    name: 'web',
    replicas: 1,
    nodes: ['node-1'],
    labels: {},
    strategy: { type: 'RollingUpdate' },
    isPaused: false,
    deadlineSeconds: 600,
    readySeconds: 0,
    hostPort: undefined,
    accessMode: undefined,
    budgets: [],
  });
  await stage.pass(5_000);
  return stage;
}

/** The Deployment as it is now. */
const deploymentOf = ({ world }: Stage): KubeObject => {
  const found = world.cluster('blue').get(deployments, rollouts, 'web');
  if (found === undefined) throw new Error('the Deployment is gone');
  return found;
};

/** Its first Pod. */
export const podOf = ({ world }: Stage): KubeObject => {
  const found = world.cluster('blue').get('pods', rollouts, 'web-first-1');
  if (found === undefined) throw new Error('the Pod is gone');
  return found;
};

/** An instance restarts it for a Machine, and the server takes that, or answers with the code. */
export function restart(stage: Stage, machine: string, code = 200): void {
  const { uid, resourceVersion } = deploymentOf(stage).metadata;
  const annotations = { 'phaseout.dev/restarted-for': machine };
  const at = { 'kubectl.kubernetes.io/restartedAt': String(stage.world.now()) };
  const body = {
    metadata: { uid, resourceVersion, annotations },
    spec: { template: { metadata: { annotations: at } } },
  };
  const taken = (): void => {
    if (code < 300) stage.world.cluster('blue').patch(deployments, deploymentOf(stage), body);
  };
  stage.ask({ ...asked('patch', deployments, 'web'), body }, taken, code);
}

/** What an instance asks of an object beside the Deployment. */
export const asked = (verb: string, resource: string, name: string): Partial<Exchange> => ({
  host: 'blue',
  verb,
  resource,
  namespace: rollouts,
  name,
});

/** The eviction of its Pod is refused in these words. */
export function refuse(stage: Stage, message: string): void {
  stage.observer.invented?.(exchangeOf(evict(podOf(stage))), { code: 429, message });
}

/** A DrainPolicy with these entries. */
export function addPolicy({ world: { management } }: Stage, blocked: readonly object[]): void {
  for (const definition of policyDefinitions)
    management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  management.create(drainPolicies, {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DrainPolicy',
    metadata: { namespace: 'fleet', name: 'workers' },
    spec: { blocked },
  });
}
