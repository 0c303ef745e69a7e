import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

/** Marks a Namespace that deploy created. Labels do not show this: an apply also puts them on an existing Namespace. */
const madeByDeployAnnotation = 'phaseout.dev/made-by-deploy';

export const isMadeByDeploy = ({ metadata: { annotations } }: KubeObject): boolean =>
  annotations?.[madeByDeployAnnotation] !== undefined;

/** Marks a Namespace that is about to be created; one that is there keeps the mark it has, or has none. */
export function withMaker(wanted: KubeObject, before: KubeObject | undefined): KubeObject {
  if (wanted.kind !== 'Namespace' || (before !== undefined && !isMadeByDeploy(before))) return wanted;
  const { metadata } = wanted;
  const annotations = { ...metadata.annotations, [madeByDeployAnnotation]: 'true' };
  return { ...wanted, metadata: { ...metadata, annotations } };
}
