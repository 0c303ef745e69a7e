import type { World } from '../../../world.ts';
import { setReady } from '../../build/power.ts';
import { addBudgets } from '../../draw/budgets.ts';
import { aNode, aSet, type Draft } from '../../draw/draft.ts';
import { returningSet } from '../../draw/pods.ts';
import { type HeldCases, neverStops } from './held.ts';

const removePod = (world: World): void =>
  world.cluster('blue').remove('pods', { metadata: { namespace: 'shop', name: 'app' } });
const guarded =
  (...specs: object[]) =>
  (draft: Draft): void => {
    draft.sets.push(aSet({ host: 'blue', name: 'cart', replicas: 1 }));
    addBudgets(draft, 'blue', 'cart', specs);
  };
const ofCart = { replicaSet: 'cart', labels: { app: 'cart' } };
const broken = { selector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] } };
const rule = (spec: object) => (draft: Draft) =>
  void draft.rules.push({ namespace: 'fleet', name: 'odd', spec });
const silent = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
const spare = (draft: Draft) => void draft.nodes.push(aNode({ host: 'blue', name: 'node-spare' }));

/** What holds a drain. */
export const podCases: HeldCases = {
  'a Pod that never stops': {
    phase: 'drain',
    pod: { annotations: neverStops },
    afterwards: removePod,
    held: 'pod',
  },
  'a Pod that never stops, within a time limit': {
    phase: 'drain',
    machine: { timeouts: { drain: 20 } },
    pod: { annotations: neverStops },
    afterwards: removePod,
  },
  'a Pod that never stops, with the drain excluded': {
    phase: 'volume-detach',
    drained: 'excluded',
    machine: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': 'false' } },
    pod: { annotations: neverStops },
    afterwards: removePod,
  },
  'a Pod that never stops, on a Node that cannot be reached': {
    phase: 'drain',
    pod: { annotations: neverStops },
    afterwards(world) {
      removePod(world);
      setReady(world, 'blue', 'node-1', 'Unknown');
    },
  },
  'a Pod that never stops, and that stays anyway': {
    phase: 'drain',
    pod: { annotations: neverStops, labels: { 'cluster.x-k8s.io/drain': 'skip' } },
    afterwards: removePod,
  },
  'a Pod that never stops, and that came after the drain': {
    phase: 'volume-detach',
    drained: 'done',
    pod: { annotations: neverStops },
    afterwards: removePod,
    held: 'pod',
  },
  'a Pod with a finalizer of somebody else': {
    phase: 'drain',
    pod: { finalizers: ['backup.example/copy'] },
    afterwards: removePod,
    held: 'pod',
  },
  'a Pod that is waited for and never completes': {
    phase: 'drain',
    pod: { labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } },
    held: 'pod',
  },
  'a Pod that is waited for and has completed': {
    phase: 'drain',
    pod: { labels: { 'cluster.x-k8s.io/drain': 'Wait-Completed' }, state: 'Succeeded' },
  },
  'a Pod that is waited for and will complete': {
    phase: 'drain',
    pod: {
      labels: { 'cluster.x-k8s.io/drain': 'wait-completed' },
      annotations: { 'local.phaseout.dev/run-seconds': '60' },
    },
  },
  'a Pod that is waited for, on a Node that cannot be reached': {
    phase: 'drain',
    pod: {
      labels: { 'cluster.x-k8s.io/drain': 'wait-completed' },
      annotations: { 'local.phaseout.dev/run-seconds': '60' },
    },
    afterwards: (world) => setReady(world, 'blue', 'node-1', 'Unknown'),
    held: 'pod',
  },
  'Pods that come back': {
    phase: 'drain',
    draw: (draft) => void draft.sets.push(returningSet({ host: 'blue', node: 'node-1' })),
    held: 'returning pod',
  },
  'a budget that can never be kept': {
    phase: 'drain',
    pod: ofCart,
    draw: guarded({ minAvailable: 1 }),
    held: 'budget',
  },
  'a budget that lets one go': { phase: 'drain', pod: ofCart, draw: guarded({ maxUnavailable: 1 }) },
  'a budget for a share of Pods of which one belongs to a Job': {
    phase: 'drain',
    pod: { labels: { app: 'cart' }, job: 'once' },
    draw: guarded({ maxUnavailable: '100%' }),
    held: 'budget',
  },
  'a budget that waits for a Pod that nobody runs': {
    phase: 'drain',
    pod: ofCart,
    draw(draft) {
      guarded({ maxUnavailable: 1 })(draft);
      draft.sets = draft.sets.map((set) => ({ ...set, replicas: 2, nodeSelector: { nowhere: '' } }));
    },
    held: 'budget',
  },
  'a budget that waits for a Pod that is about to run': {
    phase: 'drain',
    pod: ofCart,
    draw(draft) {
      guarded({ maxUnavailable: 1 })(draft);
      draft.sets = draft.sets.map((set) => ({ ...set, replicas: 2 }));
      spare(draft);
    },
  },
  'two budgets over one Pod': {
    phase: 'drain',
    pod: ofCart,
    draw: guarded({ maxUnavailable: 1 }, { maxUnavailable: 1 }),
    held: 'budget',
  },
  'a rule that makes no sense': {
    phase: 'drain',
    pod: {},
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
    held: 'rule',
  },
  'a rule that makes no sense, on a Node that was drained before it turned unreachable': {
    phase: 'volume-detach',
    drained: 'done',
    pod: {},
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
    afterwards: (world) =>
      void world.cluster('blue').patch('nodes', { metadata: { name: 'node-1' } }, silent, 'status'),
    held: 'rule',
  },
  'a rule that makes no sense, where a drain is not excluded any more': {
    phase: 'volume-detach',
    drained: 'excluded',
    pod: {},
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
    held: 'rule',
  },
  'a rule that makes no sense, where a drain is excluded still': {
    phase: 'volume-detach',
    drained: 'excluded',
    machine: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } },
    pod: {},
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
  },
  'a rule that makes no sense, for other Machines': {
    phase: 'drain',
    pod: {},
    draw: rule({
      drain: { behavior: 'Skip' },
      machines: [{ selector: { matchLabels: { a: 'b' } } }],
      pods: [broken],
    }),
  },
  'a rule that makes no sense, where all Pods are decided without it': {
    phase: 'drain',
    pod: { annotations: { 'kubernetes.io/config.mirror': '' } },
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
  },
};
