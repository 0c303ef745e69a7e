/** A request that a Broker makes. */
export interface Delivery {
  /** The function. */
  to: string;
  headers: Record<string, string>;
  body: string;
}

const delivery = (to: string, type: string, data: object): Delivery => ({
  to,
  headers: {
    'content-type': 'application/json',
    prefer: 'reply',
    'ce-specversion': '1.0',
    'ce-id': 'first',
    'ce-source': '/first',
    'ce-type': type,
  },
  body: JSON.stringify(data),
});

const machine = (metadata: object): object => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: {
    namespace: 'nowhere',
    name: 'nothing',
    uid: 'none',
    resourceVersion: '1',
    finalizers: ['machine.cluster.x-k8s.io'],
    ...metadata,
  },
  spec: {
    clusterName: 'nothing',
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Nothing', name: 'nothing' },
    bootstrap: { dataSecretName: 'nothing' },
  },
});

const update = 'dev.knative.apiserver.resource.update';
const deletionTimestamp = '2026-01-01T00:00:00Z';

/** A change of a Machine that lives, which is answered without a question. */
export const livingMachine = delivery('intake', update, machine({}));
/** A Machine in deletion, which starts a step at once. */
export const deletedMachine = delivery('intake', update, machine({ deletionTimestamp }));

export const firstEvents: readonly Delivery[] = [
  livingMachine,
  deletedMachine,
  delivery('sweep', 'dev.knative.sources.ping', { sweep: 'all' }),
  delivery('sweep', 'dev.knative.sources.ping', { sweep: 'due' }),
];
