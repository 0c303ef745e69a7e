import { jsonSchemaOf } from '../../events/json-schema.ts';
import { eventSchemas, isEventType } from '../../events/types.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { sinkOf } from './broker.ts';
import type { Installation } from './installed.ts';

/**
 * The EventTypes of the Broker, for readers of the cluster rather than of events/. Knative lets no client
 * change one: the names of types have their version in them, and so no type has to change.
 */
export const eventTypes = (installation: Installation): KubeObject[] =>
  Object.keys(eventSchemas)
    .filter(isEventType)
    .map((type) => ({
      apiVersion: 'eventing.knative.dev/v1beta3',
      kind: 'EventType',
      metadata: { name: type, namespace: installation.file.namespace },
      spec: {
        reference: sinkOf(installation).ref,
        description: descriptionOf(jsonSchemaOf(type)),
        attributes: [
          { name: 'type', required: true, value: type },
          { name: 'source', required: true },
          { name: 'specversion', required: true, value: '1.0' },
          { name: 'id', required: true },
        ],
      },
    }));

const descriptionOf = (schema: object): string =>
  'description' in schema && typeof schema.description === 'string' ? schema.description : '';
