import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Broker, Delivery, Subscriber, Trigger } from '../serverless/model.ts';
import type { Installation } from './installation.ts';

const apiVersion = 'eventing.knative.dev/v1';

/** As its release installs it, beside Kafka's controller. */
const kafkaConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'kafka-broker-config',
  namespace: 'knative-eventing',
};

export function broker({ file }: Installation): KubeObject {
  const { name, namespace, annotations, class: brokerClass } = file.broker;
  const config = file.broker.config ?? (brokerClass === 'Kafka' ? kafkaConfig : undefined);
  const ofClass = brokerClass === undefined ? {} : { 'eventing.knative.dev/broker.class': brokerClass };
  const delivery = deliveryOf(file.broker);
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
 * The whole delivery in each Trigger: what a Trigger says replaces what the Broker says, retries included, and classes
 * of Brokers differ in what they inherit.
 */
export function trigger({ filter, filters, ...written }: Trigger, { file }: Installation): KubeObject {
  const { name, namespace, subscriber } = written;
  const delivery = deliveryOf(file.broker, written.delivery);
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

function deliveryOf({ delivery, deadLetter, namespace }: Broker, own: Delivery | undefined = delivery) {
  const { deadLetterSink = delivery?.deadLetterSink, ...times } = own ?? {};
  const sink =
    deadLetterSink === undefined ? deadLetter && destination(deadLetter, namespace) : { uri: deadLetterSink };
  if (own === undefined && sink === undefined) return undefined;
  return { ...times, ...(sink === undefined ? {} : { deadLetterSink: sink }) };
}

/** Knative puts the path behind the Service's address. */
const destination = ({ service, path }: Subscriber, namespace: string) => ({
  ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: service, namespace },
  uri: path,
});
