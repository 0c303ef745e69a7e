import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { buildBudget, buildPod, buildSet } from '../build/workloads.ts';
import { drawCircle } from '../draw/budgets.ts';
import { emptyDraft, type Place } from '../draw/draft.ts';
import { aMachineOf, aPodOf, deed, nameOf, oneOf, takesNew } from './deed.ts';

const budgets = 'poddisruptionbudgets.policy';
const impossible = { minAvailable: 1_000, maxUnavailable: null };
/** Each is written over what was there before: a budget has either of the two. */
const edits: readonly object[] = [
  { maxUnavailable: 0, minAvailable: null },
  { maxUnavailable: 1, minAvailable: null },
  { maxUnavailable: '100%', minAvailable: null },
  { minAvailable: 1, maxUnavailable: null },
  impossible,
];

const hostsOf = ({ scenario }: FaultSetting): string[] => [
  ...new Set(scenario.machines.map(({ host }) => host)),
];

/** Undefined where there is none. */
function aBudgetOf(setting: FaultSetting): { host: string; budget: KubeObject } | undefined {
  const all = hostsOf(setting).flatMap((host) =>
    setting.world
      .cluster(host)
      .list(budgets)
      .map((budget) => ({ host, budget })),
  );
  return oneOf(setting.random, all);
}

function addBudget(setting: FaultSetting, spec: object, share: string): string | undefined {
  const found = aPodOf(setting, ({ metadata }) => metadata.namespace !== 'kube-system');
  if (found === undefined) return undefined;
  const { host } = found.plan;
  const { namespace = '', labels = {} } = found.pod.metadata;
  if (!takesNew(setting, host, namespace)) return undefined;
  const { app } = labels;
  const selector = app === undefined ? {} : { matchLabels: { app } };
  const name = `${share}-${setting.random.between(1, 1_000_000)}`;
  buildBudget(setting.world, { host, namespace, name, spec: { ...spec, selector } });
  return `puts the budget ${namespace}/${name} over the Pod ${nameOf(found.pod)} of ${host}`;
}

/** Two Nodes of Machines in one cluster, where there are so many. */
function twoPlaces(setting: FaultSetting): readonly [Place, Place] | undefined {
  const { world, scenario } = setting;
  const host = aMachineOf(setting)?.plan.host;
  if (host === undefined || !takesNew(setting, host, 'shop')) return undefined;
  const nodes = scenario.machines.flatMap((plan) =>
    plan.host === host && plan.node !== undefined && world.cluster(host).get('nodes', undefined, plan.node)
      ? [{ host, node: plan.node }]
      : [],
  );
  const [one, other] = nodes;
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** What users do with disruption budgets. */
export const budgetDeeds: readonly Fault[] = [
  deed({
    name: 'budgets-edited',
    about: 'Budgets are made tighter or looser.',
    most: 4,
    run(setting) {
      const found = aBudgetOf(setting);
      if (found === undefined) return undefined;
      const spec = setting.random.oneOf(edits);
      setting.world.cluster(found.host).patch(budgets, found.budget, { spec });
      return `changes the budget ${nameOf(found.budget)} of ${found.host}: ${JSON.stringify(spec)}`;
    },
  }),
  deed({
    name: 'budgets-removed',
    about: 'Budgets are taken away.',
    run(setting) {
      const found = aBudgetOf(setting);
      if (found === undefined) return undefined;
      setting.world.cluster(found.host).remove(budgets, found.budget);
      return `takes the budget ${nameOf(found.budget)} of ${found.host} away`;
    },
  }),
  deed({
    name: 'budget-impossible',
    about: 'A budget asks for more Pods than there will ever be.',
    most: 1,
    run: (setting) => addBudget(setting, { minAvailable: 1_000 }, 'impossible'),
  }),
  deed({
    name: 'budgets-overlap',
    about: 'Two budgets stand over one Pod.',
    most: 2,
    run: (setting) => addBudget(setting, { maxUnavailable: '100%' }, 'another'),
  }),
  deed({
    name: 'budgets-circular',
    about: 'Pods on two Nodes have budgets that wait for one another.',
    most: 1,
    run(setting) {
      const { world } = setting;
      const places = twoPlaces(setting);
      if (places === undefined) return undefined;
      const draft = emptyDraft();
      drawCircle(draft, places);
      const [{ host, node }, { node: other }] = places;
      const cluster = world.cluster(host);
      if (draft.sets.some(({ namespace, name }) => cluster.get('replicasets.apps', namespace, name)))
        return undefined;
      for (const name of [node, other])
        cluster.patch('nodes', { metadata: { name } }, { metadata: { labels: { pool: 'closed' } } });
      for (const set of draft.sets) buildSet(world, set);
      for (const pod of draft.pods) buildPod(world, pod);
      for (const budget of draft.budgets) buildBudget(world, budget);
      return `runs two applications on ${node} and ${other} of ${host}, and nowhere else, with a budget over each`;
    },
  }),
];
