import { jsonSchemaOf } from '../../events/json-schema.ts';
import { eventSchemas, isEventType } from '../../events/types.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { deadLetterPath } from '../serverless/dead-letter-path.ts';
import type { Delivery, Subscriber, Trigger } from '../serverless/model.ts';
import type { Installation } from './installed.ts';

const apiVersion = 'eventing.knative.dev/v1';

/** As its release installs it, beside Kafka's controller. */
const kafkaConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'kafka-broker-config',
  namespace: 'knative-eventing',
};

/**
 * Without the function that takes dead letters. With it the Broker would have no address until the Service had one. The
 * Service's first instances would start without the Broker's address. Every Trigger names it instead.
 */
export function broker({ file }: Installation): KubeObject {
  const { name, namespace, annotations, class: brokerClass } = file.broker;
  const config = file.broker.config ?? (brokerClass === 'Kafka' ? kafkaConfig : undefined);
  const ofClass = brokerClass === undefined ? {} : { 'eventing.knative.dev/broker.class': brokerClass };
  const delivery = deliveryOf(file.broker.delivery);
  return {
    apiVersion,
    kind: 'Broker',
    metadata: { name, namespace, annotations: { ...ofClass, ...annotations } },
    spec: { ...(config === undefined ? {} : { config }), ...(delivery === undefined ? {} : { delivery }) },
  };
}

/** What refers to the Broker as the place that events are sent to. */
export const sinkOf = ({ file: { broker: to } }: Installation) => ({
  ref: { apiVersion, kind: 'Broker', name: to.name, namespace: to.namespace },
});

/**
 * The whole delivery in each Trigger. A Trigger's delivery replaces the Broker's, retries included. Classes of Brokers
 * differ in what they inherit.
 */
export function trigger(written: Trigger, { file }: Installation): KubeObject {
  const { name, namespace, subscriber, filter, filters } = written;
  const { delivery: common, deadLetter } = file.broker;
  const sink = common?.deadLetterSink ?? (deadLetter && sinkFor(deadLetter, written));
  const delivery = deliveryOf(written.delivery ?? common, sink);
  return {
    apiVersion,
    kind: 'Trigger',
    metadata: { name, namespace },
    spec: {
      broker: written.broker,
      ...(filter === undefined ? {} : { filter }),
      ...(filters === undefined ? {} : { filters }),
      subscriber: destination(subscriber, namespace),
      ...(delivery === undefined ? {} : { delivery }),
    },
  };
}

/** What was written, with the sink it names or else the common one. */
function deliveryOf(delivery: Delivery | undefined, common?: string | object) {
  const { deadLetterSink = common, ...times } = delivery ?? {};
  if (delivery === undefined && deadLetterSink === undefined) return undefined;
  const sink = typeof deadLetterSink === 'string' ? { uri: deadLetterSink } : deadLetterSink;
  return { ...times, ...(sink === undefined ? {} : { deadLetterSink: sink }) };
}

const sinkFor = (deadLetter: Subscriber, from: Trigger) =>
  destination({ ...deadLetter, path: deadLetterPath(deadLetter, from) }, from.namespace);

/** Knative puts the path behind the Service's address. */
const destination = ({ service, path }: Subscriber, namespace: string) => ({
  ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: service, namespace },
  uri: path,
});

/**
 * The EventTypes of the Broker, for readers of the cluster rather than of events/. Knative lets no client change one.
 * The names of types have their version in them, so no type has to change.
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
