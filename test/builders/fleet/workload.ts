import { type AnyObject, aNode, aPod, created, type Maker, ownName } from './objects.ts';

const daemons: readonly Maker[] = ['kube-proxy', 'cni', 'csi-node', 'log-agent'].map((name) => ({
  kind: 'DaemonSet',
  namespace: 'kube-system',
  name,
}));

const app = (at: number): Maker => ({ kind: 'ReplicaSet', namespace: 'shop', name: `app-${at % 10}` });
const web: Maker = { kind: 'ReplicaSet', namespace: 'shop', name: 'web' };
const cart: Maker = { kind: 'StatefulSet', namespace: 'shop', name: 'cart' };
const agent: Maker = { kind: 'ReplicaSet', namespace: 'agents', name: 'agent', toleratesAll: true };

/** What holds the Machines of a cluster: the Pods that their Nodes have. In green one budget is short of Pods. */
const holding = (cluster: string, index: number): Maker[] => [
  ...(index % 20 === 5 ? [cart] : []),
  ...(cluster === 'green' && index < 18 ? [web] : []),
  ...(index % 50 === 9 ? [agent] : []),
];

/** The cluster of the Nodes. Each Node has the Pods of all DaemonSets, what holds its Machine, and others that go. */
export function workloadOf(cluster: string, nodes: readonly string[], podsPerNode: number): AnyObject[] {
  const placed = nodes.flatMap((node, index) => {
    const own = [...daemons, ...holding(cluster, index)];
    const others = Array.from({ length: podsPerNode - own.length }, (_, at) => app(index + at));
    return [...own, ...others].map((maker, at) => ({ maker, pod: aPod(node, maker, at) }));
  });
  const makers = Map.groupBy(placed, ({ maker }) => maker.name);
  const made = [...makers.values()].flatMap((those) => {
    const [first] = those;
    return first === undefined
      ? []
      : [...objectsOf(first.maker, those.length), ...budgetOf(first.maker, those.length)];
  });
  return [
    ...['kube-system', 'shop', 'agents'].map(aNamespace),
    ...nodes.map(aNode),
    ...placed.map(({ pod }) => pod),
    ...made,
  ];
}

const aNamespace = (name: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { ...created, name, uid: `namespace-${name}` },
  status: { phase: 'Active' },
});

function objectsOf(maker: Maker, replicas: number): AnyObject[] {
  const { kind, name, namespace } = maker;
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'registry.example/main:1' }];
  const spec = {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: `Deployment-${name}` };
  const metadata = { ...created, namespace, name: ownName(maker), uid: `${kind}-${name}` };
  if (kind !== 'ReplicaSet') return [{ apiVersion: 'apps/v1', kind, metadata, spec }];
  const ownerReferences = [{ ...deployment, controller: true }];
  return [
    { apiVersion: 'apps/v1', kind, metadata: { ...metadata, ownerReferences }, spec },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...metadata, name, uid: deployment.uid }, spec },
  ];
}

/** That of `cart` never lets a Pod go, and that of `web` has no room. The others have. */
function budgetOf({ kind, name, namespace }: Maker, count: number): AnyObject[] {
  if (kind === 'DaemonSet' || name === 'agent') return [];
  const most = name === 'cart' ? 0 : name === 'web' ? 2 : count;
  const currentHealthy = name === 'web' ? count - 2 : count;
  const desiredHealthy = count - most;
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...created, name, namespace, uid: `budget-${name}`, generation: 1 },
      spec: { maxUnavailable: most, selector: { matchLabels: { app: name } } },
      status: {
        observedGeneration: 1,
        expectedPods: count,
        currentHealthy,
        desiredHealthy,
        disruptionsAllowed: currentHealthy - desiredHealthy,
        conditions: [],
      },
    },
  ];
}
