import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiRequest } from '../../../../infra/local/kubernetes/server/request.ts';
import { machinesResource, namespace } from '../fleet.ts';

/** What the controller watches. In a fleet all that belongs to a Machine has the Machine's name. */
export const watched = {
  machine: machinesResource,
  infrastructure: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  bootstrap: 'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
  node: 'nodes',
} as const;

export type Watched = keyof typeof watched;

const paths: Readonly<Record<Watched, string>> = {
  machine: `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/machines`,
  infrastructure: `/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/${namespace}/genericinfrastructuremachines`,
  bootstrap: `/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/${namespace}/genericbootstrapconfigs`,
  node: '/api/v1/nodes',
};
const events = `/api/v1/namespaces/${namespace}/events`;

const merge = (path: string, body: object): ApiRequest => ({
  method: 'PATCH',
  path,
  headers: { 'content-type': 'application/merge-patch+json' },
  body: JSON.stringify(body),
});

export const statusPatch = (name: string, status: object): ApiRequest =>
  merge(`${paths.machine}/${name}/status`, { status });

/** Refused where the Machine has changed: the list of conditions is whole, and others write there too. */
export const conditionsPatch = ({ metadata }: KubeObject, conditions: readonly object[]): ApiRequest =>
  merge(`${paths.machine}/${metadata.name}/status`, {
    metadata: { resourceVersion: metadata.resourceVersion },
    status: { conditions },
  });

export const finalizersPatch = (name: string): ApiRequest =>
  merge(`${paths.machine}/${name}`, { metadata: { finalizers: null } });

export const cordon = (name: string): ApiRequest =>
  merge(`${paths.node}/${name}`, { spec: { unschedulable: true } });

export const deletion = (what: Watched, name: string): ApiRequest => ({
  method: 'DELETE',
  path: `${paths[what]}/${name}`,
});

export const podsOf = (nodeName: string): ApiRequest => ({
  method: 'GET',
  path: '/api/v1/pods',
  query: { fieldSelector: `spec.nodeName=${nodeName}`, limit: '100' },
});

export const attachments: ApiRequest = {
  method: 'GET',
  path: '/apis/storage.k8s.io/v1/volumeattachments',
  query: { limit: '100' },
};

export const newEvent = (name: string, { metadata, ...machine }: KubeObject, reason: string): ApiRequest => ({
  method: 'POST',
  path: events,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: {
      apiVersion: machine.apiVersion,
      kind: machine.kind,
      namespace,
      name: metadata.name,
      uid: metadata.uid,
    },
    type: 'Normal',
    reason,
    count: 1,
    source: { component: 'machine-controller' },
  }),
});

export const eventAgain = (name: string, count: number): ApiRequest => merge(`${events}/${name}`, { count });
