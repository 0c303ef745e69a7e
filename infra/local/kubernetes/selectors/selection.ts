import type { Resource } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { type ObjectTest, parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

export interface SelectionText {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Namespace, label selector and field selector as one test. Throws ApiError 400. */
export function selectionTest(resource: Resource, version: string, text: SelectionText): ObjectTest {
  const { namespace, labelSelector, fieldSelector } = text;
  const tests: ObjectTest[] = [];
  if (namespace) tests.push((object) => object.metadata.namespace === namespace);
  if (fieldSelector) tests.push(parseFieldSelector(resource, version, fieldSelector));
  if (labelSelector) {
    const matchesLabels = parseLabelSelector(labelSelector);
    tests.push((object) => matchesLabels(object.metadata.labels ?? noLabels));
  }
  return (object: KubeObject) => tests.every((test) => test(object));
}

const noLabels = {};
