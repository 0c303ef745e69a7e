import { groupVersionOf, type KubeObject } from '../../../shared/kubernetes/objects.ts';

/** `Trigger phaseout/drain`: an object as people name it. Kubernetes and Knative both have a kind Service. */
export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { group } = groupVersionOf({ ...(apiVersion !== undefined && { apiVersion }) });
  const place = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
  return `${group === 'serving.knative.dev' ? 'Knative ' : ''}${kind ?? 'object'} ${place}${metadata.name}`;
}

/** Kubernetes itself has a kind of that name, too. */
export const isKnativeService = (object: KubeObject): boolean =>
  object.kind === 'Service' && groupVersionOf(object).group === 'serving.knative.dev';

/** What tells one object from all others, whatever version it is read in. */
export function identityOf(object: KubeObject): string {
  const { kind, metadata } = object;
  return [groupVersionOf(object).group, kind, metadata.namespace ?? '', metadata.name].join('/');
}
