import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { managedByLabel } from '../../knative/manifest.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import type { Site } from './site.ts';

/** A kind of objects that an installation may have. */
export interface Kind {
  group: string;
  kind: string;
}

export interface Ours {
  resource: Resource;
  object: KubeObject;
}

export const isOurs = ({ service }: Pick<Site, 'service'>, { metadata: { labels } }: KubeObject): boolean =>
  labels?.[managedByLabel] === service;

/** A Machine API that was installed later has taken over the definition that phaseout brought. */
export const isAdopted = ({ metadata: { labels } }: KubeObject): boolean =>
  labels?.['cluster.x-k8s.io/provider'] !== undefined;

/**
 * All objects of an installation that are of these kinds, in any namespace. What a controller made for one of
 * them may have its labels, but is that controller's. Throws Unavailable: what could not be listed is not absent.
 */
export async function listOurs(site: Site, kinds: readonly Kind[]): Promise<Ours[]> {
  const lists = await Promise.all(kinds.map((kind) => listOfKind(site, kind)));
  return lists.flat();
}

async function listOfKind({ kubernetes, service }: Site, { group, kind }: Kind): Promise<Ours[]> {
  const resource = await kubernetes.discover(group, kind);
  if (resource === undefined) return [];
  const { items } = await kubernetes.list(resource, { labelSelector: `${managedByLabel}=${service}` });
  const apiVersion = group === '' ? resource.version : `${group}/${resource.version}`;
  return items
    .filter(
      ({ metadata }) => metadata.ownerReferences?.some(({ controller }) => controller === true) !== true,
    )
    .map((object) => ({ resource, object: { ...object, apiVersion, kind } }));
}

/**
 * Throws CannotDo where phaseout is installed in another namespace as well. Two installations would act on the same
 * Machines, and share the objects that have no namespace.
 */
export async function refuseOtherInstallations(site: Site, namespace: string): Promise<void> {
  const services = await listOurs(site, [{ group: 'serving.knative.dev', kind: 'Service' }]);
  const elsewhere = services.flatMap(({ object: { metadata } }) =>
    metadata.namespace === undefined || metadata.namespace === namespace ? [] : [metadata.namespace],
  );
  const [first] = elsewhere;
  if (first === undefined) return;
  const places = [...new Set(elsewhere)].join(', ');
  throw new CannotDo(
    `phaseout is installed in namespace ${places}, not ${namespace}: a cluster takes one. Take that one away first (phaseout remove --namespace ${first}), or go on with it (--namespace ${first})`,
  );
}

/** Marks a Namespace that deploy created. Labels do not show this: an apply also puts them on an existing Namespace. */
const madeByDeployAnnotation = 'phaseout.dev/made-by-deploy';

export const isMadeByDeploy = ({ metadata: { annotations } }: KubeObject): boolean =>
  annotations?.[madeByDeployAnnotation] !== undefined;

/** Marks a Namespace that deploy will create. An existing one keeps its mark, or has none. */
export function withMaker(wanted: KubeObject, before: KubeObject | undefined): KubeObject {
  if (wanted.kind !== 'Namespace' || (before !== undefined && !isMadeByDeploy(before))) return wanted;
  const { metadata } = wanted;
  const annotations = { ...metadata.annotations, [madeByDeployAnnotation]: 'true' };
  return { ...wanted, metadata: { ...metadata, annotations } };
}
