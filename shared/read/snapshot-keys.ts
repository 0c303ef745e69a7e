import type { Key, Resource, Selection, Side } from '../kubernetes/client.ts';
import { pods } from '../kubernetes/resources.ts';

const resourceKey = (resource: Resource): string =>
  `${resource.group}/${resource.version}/${resource.plural}`;

/** An object that an effect was meant for. */
export interface Target {
  side: Side;
  resource: Resource;
  key: Key;
}

/** Names one object as a look asks for it. */
export const objectKey = (side: Side, resource: Resource, key: Key): string =>
  `${side}|${resourceKey(resource)}|${key.namespace ?? ''}/${key.name}`;

/** Names one list as a look asks for it. */
export const listKey = (side: Side, resource: Resource, selection: Selection): string =>
  `${side}|${resourceKey(resource)}|list|${selection.namespace ?? ''}|${selection.labelSelector ?? ''}|${selection.fieldSelector ?? ''}`;

/** Whether a key names a list of Pods. */
export const isListOfPods = (key: string): boolean => key.includes(`|${resourceKey(pods)}|list|`);
