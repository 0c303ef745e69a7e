import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { version } from '../../shared/runtime/version.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import { besideIn } from './beside.ts';
import type { Installation } from './installed.ts';

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

/**
 * The labels that Kubernetes recommends. Never in a Pod's template: each version would replace the Pods. And a selector
 * cannot change.
 */
export const recommendedLabels = (
  { service, environment }: Pick<ServerlessFile, 'service' | 'environment'>,
  component: string,
): Record<string, string> => ({
  [nameLabel]: service,
  'app.kubernetes.io/instance': besideIn(environment).installation || service,
  'app.kubernetes.io/version': version,
  [componentLabel]: component,
  'app.kubernetes.io/part-of': service,
});

/** With the labels of what belongs to an installation, and those the object has of its own. */
export function labelled(object: KubeObject, installation: Installation, component: string): KubeObject {
  const { file, environment } = installation;
  const labels = {
    ...recommendedLabels({ ...file, environment }, component),
    [managedByLabel]: file.service,
    ...object.metadata.labels,
  };
  const { name, namespace, ...rest } = object.metadata;
  const place = namespace === undefined ? {} : { namespace };
  return { ...object, metadata: { name, ...place, ...rest, labels } };
}
