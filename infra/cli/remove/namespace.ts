import * as z from 'zod';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { namespaces } from '../../../shared/kubernetes/resources.ts';
import { listOf } from '../../../shared/text/truncate.ts';
import { kindsOf } from '../deploy/kinds.ts';
import { definitions } from '../deploy/knative.ts';
import { nameOf } from '../deploy/object-name.ts';
import { isMadeByDeploy, isOurs, type Kind } from '../deploy/ours.ts';
import type { Site } from '../deploy/site.ts';
import { takeAway } from './take-away.ts';

/** Kubernetes' own kinds that hold users' data. */
const keepsakes: readonly Kind[] = [
  ...kindsOf('', 'Secret', 'ConfigMap', 'PersistentVolumeClaim', 'Service', 'Pod'),
  ...kindsOf('apps', 'Deployment', 'StatefulSet', 'DaemonSet'),
  ...kindsOf('batch', 'CronJob', 'Job'),
];

const definedSchema = z.looseObject({
  group: z.string(),
  scope: z.string(),
  names: z.looseObject({ kind: z.string() }),
});

/** All custom kinds of this cluster: with its namespace a Machine would go, and its server with it. */
async function definedKinds({ kubernetes }: Site): Promise<Kind[]> {
  const { items } = await kubernetes.list(definitions);
  return items
    .map(({ spec }) => definedSchema.parse(spec))
    .filter(({ scope }) => scope === 'Namespaced')
    .map(({ group, names: { kind } }) => ({ group, kind }));
}

const maxNames = 10;

/** What Kubernetes and OpenShift put into every namespace. */
const everywhere = /^ConfigMap (kube-root-ca\.crt|openshift-service-ca\.crt)$/;
const ownSecrets = new Set(['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg']);

/**
 * Deletes the namespace that deploy created, unless it holds other objects. A namespace that existed before stays. So does
 * one that kubectl applied, since its origin is unknown. Throws Unavailable.
 */
export async function removeNamespace(site: Site, name: string): Promise<void> {
  const object = await site.kubernetes.get(namespaces, { name });
  if (object === undefined || !isOurs(site, object)) return;
  if (!isMadeByDeploy(object)) {
    const text = `Namespace ${name} stays: deploy has not made it`;
    return site.tell({ event: 'found', text });
  }
  const others = await keptIn(site, name);
  if (others.length > 0) {
    const text = `Namespace ${name} stays: it holds ${listOf(others, maxNames)}`;
    return site.tell({ event: 'found', text });
  }
  const kind = { apiVersion: 'v1', kind: 'Namespace' };
  await takeAway(site, [{ resource: namespaces, object: { ...object, ...kind } }]);
}

async function keptIn(site: Site, namespace: string): Promise<string[]> {
  const { kubernetes } = site;
  const kinds = [...keepsakes, ...(await definedKinds(site))];
  const lists = await Promise.all(
    kinds.map(async ({ group, kind }) => {
      const resource = await kubernetes.discover(group, kind);
      if (resource === undefined) return [];
      const { items } = await kubernetes.list(resource, { namespace });
      return items
        .filter(isKept)
        .map(({ metadata: { name } }) => nameOf({ apiVersion: `${group}/`, kind, metadata: { name } }));
    }),
  );
  return lists.flat().filter((name) => !everywhere.test(name));
}

/** An object with an owner goes with its owner. */
const isKept = ({ metadata, type }: KubeObject): boolean =>
  metadata.ownerReferences === undefined &&
  metadata.deletionTimestamp === undefined &&
  !ownSecrets.has(String(type));
