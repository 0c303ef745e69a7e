import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/**
 * What everything rendered carries; an object that has it, and is no longer rendered, is one of an earlier version. Not
 * part-of: users may put that label on objects of their own.
 */
export const managedByLabel = 'app.kubernetes.io/managed-by';
const nameLabel = 'app.kubernetes.io/name';
/** Which part of the installation an object belongs to. */
export const componentLabel = 'app.kubernetes.io/component';

/** Labels by which Pods are chosen: never more than that, since selectors of others refer to them. */
export const selectorLabels = (service: string, component: string): Record<string, string> => ({
  [nameLabel]: service,
  [componentLabel]: component,
});

/** The standard labels, with those the object has of its own. */
export function labelled(object: KubeObject, service: string, component: string): KubeObject {
  const labels = {
    ...selectorLabels(service, component),
    'app.kubernetes.io/part-of': service,
    [managedByLabel]: service,
    ...object.metadata.labels,
  };
  const { name, namespace, ...rest } = object.metadata;
  const place = namespace === undefined ? {} : { namespace };
  return { ...object, metadata: { name, ...place, ...rest, labels } };
}
