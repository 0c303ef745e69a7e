import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { objectOf } from '../kubernetes/server/json.ts';

/** A Pod or a Node without what no deletion depends on. Of a fleet that is more than all the rest. */
export function withoutBulk(object: KubeObject): KubeObject {
  if (object.apiVersion !== 'v1') return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  if (object.kind === 'Pod') return { ...object, metadata, ...podParts(object) };
  if (object.kind !== 'Node') return object;
  const { images: _images, ...status } = objectOf(object.status);
  return { ...object, metadata, status };
}

function podParts({ spec, status }: KubeObject) {
  const { containers: _containers, initContainers: _initContainers, ...ofSpec } = objectOf(spec);
  const { containerStatuses: _statuses, initContainerStatuses: _ofInit, ...ofStatus } = objectOf(status);
  return { spec: ofSpec, status: ofStatus };
}
