import { onTestFinished } from 'vitest';
import { KeptHooks } from '../../../infra/hook/kept-hooks.ts';
import { type ClusterPage, openClusterPage } from '../../../infra/page/cluster/open.ts';
import type { Wanted } from '../../../infra/page/cluster/rights.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aDeletionHook } from '../../builders/asked.ts';
import { parsed } from '../cli/outside.ts';

const api = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
};

const refused =
  "* Pod bank/db-1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget db needs 2 healthy pods and has 2 currently";

const machine = (namespace: string, name: string): KubeObject => ({
  apiVersion: api.apiVersion,
  kind: 'Machine',
  metadata: {
    namespace,
    name,
    uid: `uid-${name}`,
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['machine.cluster.x-k8s.io'],
  },
  spec: { clusterName: 'blue', infrastructureRef: { apiGroup: 'x', kind: 'X', name } },
  status: {
    conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode', message: refused }],
  },
});

export const plan: DeletionPlan = {
  machine: { apiVersion: api.apiVersion, namespace: 'blue', name: 'worker-1', uid: 'uid-worker-1' },
  held: [],
  phases: [{ phase: 'drain', does: 'work', why: '2 Pods have to go' }],
  pods: ['shop', 'bank'].map((namespace) => ({
    namespace,
    name: 'web-1',
    behavior: 'Drain',
    order: 0,
    decidedBy: 'default',
    warnings: [],
  })),
  batches: [{ order: 0, pods: ['shop/web-1', 'bank/web-1'] }],
  refusals: [{ pod: 'bank/web-1', cause: 'BudgetExhausted', message: 'bank/web-1', budget: 'bank/web' }],
  volumes: [{ kind: 'PersistentVolumeClaim', name: 'bank/data' }],
  hooks: [],
  message: 'bank/web-1 has to go',
};

export const explanation: Explanation = {
  machine: plan.machine,
  verdict: 'progressing',
  phases: plan.phases,
  causes: [],
  endsByItself: { answer: 'yes', why: 'bank/web-1 goes' },
  givenUp: [],
  advice: [],
  later: [],
  unread: [],
  unsure: [],
};

/** A budget holds both. */
const judged = (name: string): JudgedMachine => ({
  apiVersion: api.apiVersion,
  namespace: name === 'worker-1' ? 'blue' : 'green',
  name,
  uid: `uid-${name}`,
  nodesIn: { kind: 'here' },
  verdict: 'held',
  holders: [
    {
      key: 'budget bank/web',
      kind: 'budget',
      verdict: 'held',
      what: 'PodDisruptionBudget bank/web never lets a Pod go',
      owner: 'Deployment bank/web',
      why: 'it allows none',
    },
  ],
});

const askingIn = (namespace: string): KubeObject => {
  const hook = aDeletionHook('move-data');
  return { ...hook, metadata: { ...hook.metadata, namespace } };
};

const hooks = new KeptHooks({
  kubernetes: {
    discover: async () => ({ group: 'phaseout.dev', version: 'v1alpha1', plural: 'deletionhooks' }),
    list: async () => ({ items: [askingIn('blue'), askingIn('green')], resourceVersion: '1' }),
  },
  selection: {},
  clock: systemClock,
});

type Right = (wanted: Wanted) => boolean;

/** Users by their tokens: for which audience a token is, and what its user may do. */
const users: Record<string, { audiences: string[]; may: Right }> = {
  'admin-token': { audiences: ['phaseout-page'], may: () => true },
  'blue-token': {
    audiences: ['phaseout-page'],
    may: ({ resource, namespace }) => resource === 'machines' && namespace === 'blue',
  },
  'blue-hooks-token': {
    audiences: ['phaseout-page'],
    may: ({ resource, namespace }) =>
      resource === 'deletionhooks' || (resource === 'machines' && namespace === 'blue'),
  },
  'api-token': { audiences: ['https://kubernetes.default.svc'], may: () => true },
};

async function create(_resource: unknown, object: KubeObject): Promise<WriteOutcome> {
  const { spec } = parsed<{
    spec: { token: string; audiences: string[]; user: string; resourceAttributes: Wanted };
  }>(JSON.stringify(object));
  if (object.kind === 'TokenReview') {
    const user = users[spec.token];
    const audiences = spec.audiences.filter((each) => user?.audiences.includes(each));
    const status = { authenticated: audiences.length > 0, audiences, user: { username: spec.token } };
    return { kind: 'written', object: { ...object, status } };
  }
  const allowed = users[spec.user]?.may(spec.resourceAttributes) ?? false;
  return { kind: 'written', object: { ...object, status: { allowed } } };
}

/** The page of a cluster with two Machines, worker-1 in the namespace blue and worker-2 in green. */
export async function aClusterPage(hosts: readonly string[], port = 0): Promise<ClusterPage> {
  const page = await openClusterPage({
    kubernetes: {
      create,
      list: async () => ({
        items: [machine('blue', 'worker-1'), machine('green', 'worker-2')],
        resourceVersion: '1',
      }),
      watch: () => () => undefined,
    },
    machineApis: [api],
    hooks,
    clock: systemClock,
    subject: 'the cluster',
    notes: [],
    recordsOf: async () => ({ history: [], pods: [], unread: [] }),
    explain: async () => ({ plan, explanation }),
    judgeMany: async () => ({ machines: ['worker-1', 'worker-2'].map(judged), unread: [] }),
    hosts,
    port,
    address: '127.0.0.1',
  });
  onTestFinished(() => page.close());
  return page;
}
