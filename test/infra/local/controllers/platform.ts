import { type ControllerOptions, startControllers } from '../../../../infra/local/controllers/index.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/api-server.ts';
import type { KubeObject, ObjectMeta } from '../../../../infra/local/kubernetes/cluster.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

export const start = Date.parse('2026-01-01T00:00:00Z');

type Fields = Record<string, any>;

/** A cluster with controllers on a clock that tests move. Failures that the controllers report end up in `reported`. */
export function aPlatform(options: ControllerOptions = {}) {
  const clock = new VirtualClock(start);
  const { cluster } = createApiServer({ clock });
  const reported: string[] = [];
  const report = (error: unknown, about: string) => reported.push(`${about}: ${String(error)}`);
  const stop = startControllers(cluster, clock, { report, ...options });
  const get = (resource: string, name: string, namespace: string | undefined = 'default'): Fields | undefined =>
    cluster.get(resource, namespace, name);
  return {
    clock,
    cluster,
    reported,
    stop,
    get,
    pod: (name: string) => get('pods', name),
    node: (name: string) => get('nodes', name, undefined)!,
    pods: () => cluster.list('pods').map((pod) => pod.metadata.name),
    seconds: (count: number) => clock.advance(count * 1000),
    remove(resource: string, name: string, namespace: string | undefined = 'default') {
      cluster.remove(resource, { metadata: { name, ...(namespace && { namespace }) } });
    },
    addNode(name: string, { labels = {}, ready = 'True', ...spec }: Fields = {}) {
      const node = cluster.create('nodes', { metadata: { name, labels }, spec });
      setReady(name, ready);
      return node;
    },
    setReady,
    addPod(name: string, fields: Fields = {}) {
      return cluster.create('pods', aPod(name, fields));
    },
    create: (resource: string, object: KubeObject) => cluster.create(resource, object),
    patch(resource: string, name: string, patch: Fields, subresource = '') {
      const metadata = resource === 'nodes' ? { name } : { name, namespace: 'default' };
      return cluster.patch(resource, { metadata }, patch, subresource);
    },
  };

  function setReady(name: string, status: string) {
    const conditions = [{ type: 'Ready', status }];
    cluster.patch('nodes', { metadata: { name } }, { status: { conditions } }, 'status');
  }
}

export type Platform = ReturnType<typeof aPlatform>;

export function aPod(name: string, { node, grace = 30, annotations, labels, owner, ...spec }: Fields = {}): KubeObject {
  const metadata = meta(name, { ...(annotations && { annotations }), ...(labels && { labels }) });
  if (owner) metadata.ownerReferences = [{ ...owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: {
      containers: [{ name: 'c', image: 'img:1' }],
      terminationGracePeriodSeconds: grace,
      ...(node && { nodeName: node }),
      ...spec,
    },
  };
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet or Job whose Pods carry the label `app` with its name. */
export function aWorkload(kind: string, name: string, { annotations, pod = {}, ...spec }: Fields = {}): KubeObject {
  return {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: meta(name),
    spec: {
      ...(kind !== 'Job' && { selector: { matchLabels: { app: name } } }),
      template: {
        metadata: { labels: { app: name }, ...(annotations && { annotations }) },
        spec: { containers: [{ name: 'c', image: 'img:1' }], ...pod },
      },
      ...spec,
    },
  };
}

export function meta(name: string, rest: Partial<ObjectMeta> = {}): ObjectMeta {
  return { name, namespace: 'default', ...rest };
}

/** A definition of a custom kind as small as the API server takes it. */
export function aDefinition(group: string, kind: string, version = 'v1beta2'): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {} },
        },
      ],
    },
  };
}
