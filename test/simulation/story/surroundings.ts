import type { Cluster } from '../../../infra/local/kubernetes/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { World } from '../world.ts';
import { nameOf } from './news.ts';

const rules = 'machinedrainrules.cluster.x-k8s.io';

/** Rules and budgets as whoever wrote them would show them. */
export const rulesIn = (cluster: Cluster): string[] =>
  !cluster.resources().includes(rules)
    ? []
    : cluster.list(rules).map((rule) => `MachineDrainRule ${nameOf(rule)}: ${JSON.stringify(rule['spec'])}`);

export const budgetsIn = (world: World, host: string): string[] =>
  world
    .cluster(host)
    .list('poddisruptionbudgets.policy')
    .map((budget) => `PodDisruptionBudget ${nameOf(budget)} in ${host}: ${JSON.stringify(budget['spec'])}`);

export const volumesIn = (world: World, host: string): string[] =>
  world
    .cluster(host)
    .list('persistentvolumes')
    .map((volume) => {
      const claim = `${textAt(volume, 'spec', 'claimRef', 'namespace')}/${textAt(volume, 'spec', 'claimRef', 'name')}`;
      return `PersistentVolume ${nameOf(volume)} in ${host}: claim ${claim}`;
    });
