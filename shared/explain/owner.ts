import type { KubeObject } from '../kubernetes/objects.ts';

/** Who keeps an object: its controller, or what has installed it; undefined where it does not say. */
export function keeperOf({ metadata }: KubeObject): string | undefined {
  const { ownerReferences = [], annotations = {}, labels = {} } = metadata;
  const controller = ownerReferences.find((owner) => owner.controller === true) ?? ownerReferences[0];
  if (controller !== undefined) return `${controller.kind} ${controller.name}`;
  const release = annotations['meta.helm.sh/release-name'];
  if (release !== undefined) return `Helm release ${release}`;
  const manager = labels['app.kubernetes.io/managed-by'];
  return manager === undefined ? undefined : `what is managed by ${manager}`;
}
