import type { ChangeType } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { CloudEvent } from './event.ts';

export interface Change {
  id: string;
  time: Instant;
  apiUrl: string;
  source: { apiVersion: string; kind: string; plural: string; mode?: 'Resource' | 'Reference' };
  ceOverrides?: { extensions: Readonly<Record<string, string>> };
  type: ChangeType;
  object: KubeObject;
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/**
 * The event that an ApiServerSource makes of a change. A deletion carries the object as the watch gave it: the state
 * before the last write, finalizers still listed, with the deletion's resourceVersion.
 */
export function changeEvent({ id, time, apiUrl, source, type, object, ceOverrides }: Change): CloudEvent {
  const { apiVersion, kind, plural, mode = 'Resource' } = source;
  // The source names a namespace also where there is none.
  const { name, namespace = '' } = object.metadata;
  const isWhole = mode === 'Resource';
  const data = isWhole
    ? { apiVersion, kind, ...object }
    : { kind, ...(namespace && { namespace }), name, apiVersion };
  return {
    attributes: {
      specversion: '1.0',
      id,
      source: apiUrl,
      type: `dev.knative.apiserver.${isWhole ? 'resource' : 'ref'}.${verbs[type]}`,
      subject: `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`,
      time: new Date(time).toISOString(),
      datacontenttype: 'application/json',
      apiversion: apiVersion,
      kind,
      name,
      namespace,
      ...ceOverrides?.extensions,
    },
    data: Buffer.from(JSON.stringify(data)),
  };
}
