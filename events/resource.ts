import * as z from 'zod';
import type { KubeObject, ObjectMeta } from '../shared/kubernetes/objects.ts';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { machineUid, objectName, timestamp } from './machine.ts';

const nonEmpty = z.string().min(1);

const ownerReference = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().exactOptional(),
  blockOwnerDeletion: z.boolean().exactOptional(),
});

/** The whole object, as an ApiServerSource of mode Resource sends it. Fields not named here travel along. */
const kubeObject = z.looseObject({
  apiVersion: objectName,
  kind: nonEmpty,
  metadata: z.looseObject({
    name: objectName,
    namespace: z.string().max(253).exactOptional(),
    uid: machineUid,
    resourceVersion: nonEmpty,
    generation: z.int().exactOptional(),
    creationTimestamp: z.string().exactOptional(),
    deletionTimestamp: z.string().exactOptional(),
    labels: z.record(z.string(), z.string()).exactOptional(),
    annotations: z.record(z.string(), z.string()).exactOptional(),
    finalizers: z.array(z.string()).exactOptional(),
    ownerReferences: z.array(ownerReference).exactOptional(),
  }),
});

const extensions = {
  apiversion: nonEmpty.exactOptional(),
  kind: nonEmpty.exactOptional(),
  name: nonEmpty.exactOptional(),
  namespace: z.string().exactOptional(),
};

const shape = { extensions, data: kubeObject };

export const resourceAddSchema = defineEvent(
  'dev.knative.apiserver.resource.add',
  'In: an object was created, or has come into the selection.',
  shape,
);

export const resourceUpdateSchema = defineEvent(
  'dev.knative.apiserver.resource.update',
  'In: an object was changed. A requested deletion arrives as this.',
  shape,
);

export const resourceDeleteSchema = defineEvent(
  'dev.knative.apiserver.resource.delete',
  'In: an object is gone or has left the selection; its data are from before the last write.',
  shape,
);

export type ResourceEvent =
  | z.infer<typeof resourceAddSchema>
  | z.infer<typeof resourceUpdateSchema>
  | z.infer<typeof resourceDeleteSchema>;

export interface Change {
  change: 'add' | 'update' | 'delete';
  /** As the API served it, so it has a UID and a version. */
  object: KubeObject & {
    apiVersion: string;
    kind: string;
    metadata: ObjectMeta & { uid: string; resourceVersion: string };
  };
  /** The resource's plural name, for the subject. */
  plural: string;
}

/** What an ApiServerSource makes of a change. `id` is new for every event, as the real source's are. */
export function resourceEvent(
  { change, object, plural }: Change,
  { id, source, time }: { id: string; source: string; time: Instant },
): ResourceEvent {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return {
    specversion: '1.0',
    id,
    source,
    type: `dev.knative.apiserver.resource.${change}`,
    subject: `${root}/${apiVersion}${scope}/${plural}/${name}`,
    time: timestamp(time),
    datacontenttype: 'application/json',
    apiversion: apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    data: object,
  };
}
