import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { type Behaviour, titleOfHook } from '../platform/functions/played.ts';
import type { World } from '../world.ts';
import { nameOf } from './news.ts';

const rules = 'machinedrainrules.cluster.x-k8s.io';

const policies = 'drainpolicies.phaseout.dev';

/** Rules, policies and budgets as their authors would show them. */
export const rulesIn = (cluster: Cluster): string[] => shown(cluster, rules, 'MachineDrainRule');

export const policiesIn = (cluster: Cluster): string[] => shown(cluster, policies, 'DrainPolicy');

const shown = (cluster: Cluster, resource: string, kind: string): string[] =>
  !cluster.resources().includes(resource)
    ? []
    : cluster.list(resource).map((each) => `${kind} ${nameOf(each)}: ${JSON.stringify(each['spec'])}`);

/** With what decides whether they may be restarted. */
export const deploymentsIn = (world: World, host: string): string[] =>
  world
    .cluster(host)
    .list('deployments.apps')
    .map((each) => {
      const { selector: _selector, template: _template, ...spec } = recordAt(each, 'spec');
      return `Deployment ${nameOf(each)} in ${host}: ${JSON.stringify(spec)}`;
    });

/** With how their functions behave. */
export const functionsIn = ({ functions }: Pick<World, 'functions'>): string[] =>
  functions.hooks.map(
    (hook) =>
      `DeletionHook ${titleOfHook(hook)}: ${JSON.stringify(hook.spec)}; its function ${wordsOf(hook.plays)}`,
  );

function wordsOf({ until, calls, retryAfter }: Behaviour): string {
  const asks = retryAfter === undefined ? '' : ` and asks for ${retryAfter} s`;
  const first = `${until === undefined ? 'says nothing' : `says ${until}`}${asks}`;
  if (calls === undefined) return `${first}, for ever`;
  return calls === 0 ? 'is done at once' : `${first}, and is done after ${calls} calls`;
}

export const budgetsIn = (world: World, host: string): string[] =>
  world
    .cluster(host)
    .list('poddisruptionbudgets.policy')
    .map((budget) => `PodDisruptionBudget ${nameOf(budget)} in ${host}: ${JSON.stringify(budget['spec'])}`);

export const volumesIn = (world: World, host: string): string[] => {
  const cluster = world.cluster(host);
  return cluster.list('persistentvolumes').map((volume) => {
    const claim = `${textAt(volume, 'spec', 'claimRef', 'namespace')}/${textAt(volume, 'spec', 'claimRef', 'name')}`;
    const attached = cluster
      .list(attachments)
      .filter((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') === volume.metadata.name)
      .map(attachmentText);
    return [`PersistentVolume ${nameOf(volume)} in ${host}: claim ${claim}`, ...attached].join('; ');
  });
};

const attachments = 'volumeattachments.storage.k8s.io';

function attachmentText({ metadata: { name, finalizers = [] }, spec }: KubeObject): string {
  const held = finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`;
  return `attached to ${textAt(spec, 'nodeName')} by ${name}${held}`;
}

/** Clusters that Machines are of, with what rules may select them by. */
export const clustersIn = (management: Cluster): string[] =>
  ['clusters.cluster.x-k8s.io', 'clusters.cluster.k8s.io'].flatMap((resource) =>
    management.list(resource).map((cluster) => {
      const isPaused = recordAt(cluster, 'spec')['paused'] === true;
      const traits = [...labelTexts(cluster), ...(isPaused ? ['paused'] : [])];
      return `Cluster ${nameOf(cluster)}${traits.length === 0 ? '' : `: ${traits.join('; ')}`}`;
    }),
  );

export const namespacesIn = (world: World, host: string): string[] =>
  world
    .cluster(host)
    .list('namespaces')
    .filter((namespace) => labelTexts(namespace).length > 0)
    .map((namespace) => `Namespace ${nameOf(namespace)} in ${host}: ${labelTexts(namespace).join()}`);

function labelTexts({ metadata: { labels = {} } }: KubeObject): string[] {
  const own = Object.entries(labels).filter(([key]) => key !== 'kubernetes.io/metadata.name');
  return own.length === 0 ? [] : [`labels ${own.map(([key, value]) => `${key}=${value}`).join(', ')}`];
}
