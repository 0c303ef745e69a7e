import { describe, expect, test } from 'vitest';
import { at } from './at.ts';
import { ofKind, only, rendered, small } from './rendered.ts';

const advance = '{"trigger":{"filter":{"attributes":{"type":"t"}}}}';
const trigger = 'eventing.knative.dev/v1/Trigger';
const broker = 'eventing.knative.dev/v1/Broker';

const toFunction = (uri: string) => ({
  ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'svc', namespace: 'ns' },
  uri,
});

const specs = (event: string, provider = {}) => {
  const objects = rendered(small(event, provider));
  return [broker, trigger].map((kind) =>
    ofKind(objects, kind).map((object) => at(object, 'spec', 'delivery')),
  );
};

const chosen = (provider: object, options = {}) => {
  const { metadata, ...rest } = only(
    rendered(small(advance, { broker: { name: 'b', ...provider } }), options),
    broker,
  );
  return [metadata.annotations?.['eventing.knative.dev/broker.class'], at(rest, 'spec', 'config')];
};

describe('delivery', () => {
  const delivery = { retry: 2, backoffPolicy: 'exponential', backoffDelay: 'PT1S' };
  const own = '{"trigger":{"delivery":{"retry":0}}}';

  test("is the Broker's in every Trigger that has none of its own", () => {
    expect(specs(advance, { delivery })).toEqual([[delivery], [delivery]]);
    expect(specs(own, { delivery })).toEqual([[delivery], [{ retry: 0 }]]);
    expect(specs(advance)).toEqual([[undefined], [undefined]]);
  });

  test('of every Trigger ends with the function for dead letters', () => {
    const file = small('{"deadLetter":{}}', { delivery });
    const triggers = small(own, { delivery }).triggers;
    const objects = rendered({ ...file, triggers });
    const sink = { deadLetterSink: toFunction('/drain') };
    // The Broker would wait for the Service's address, and the Service's instances for the Broker's.
    expect(at(only(objects, broker), 'spec', 'delivery')).toEqual(delivery);
    expect(at(only(objects, trigger), 'spec', 'delivery')).toEqual({ retry: 0, ...sink });
  });

  test('or at the address that is named', () => {
    const deadLetterSink = 'https://sink.example/';
    expect(specs(own, { delivery: { ...delivery, deadLetterSink } })[1]).toEqual([
      { retry: 0, deadLetterSink: { uri: deadLetterSink } },
    ]);
  });
});

test('a Trigger leads events of its choice to the path of its function', () => {
  expect(at(only(rendered(small(advance)), trigger), 'spec')).toEqual({
    broker: 'b',
    filter: { attributes: { type: 't' } },
    subscriber: toFunction('/drain'),
  });
});

describe('a Broker', () => {
  test('has the annotations that are written, beside its class', () => {
    const written = { name: 'b', class: 'Kafka', annotations: { 'a.dev/b': 'c' } };
    expect(only(rendered(small(advance, { broker: written })), broker).metadata.annotations).toEqual({
      'eventing.knative.dev/broker.class': 'Kafka',
      'a.dev/b': 'c',
    });
  });

  const kafka = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'kafka-broker-config',
    namespace: 'knative-eventing',
  };
  const rabbit = { apiVersion: 'eventing.knative.dev/v1alpha1', kind: 'RabbitmqBrokerConfig', name: 'r' };

  test.each<[string, unknown[], unknown[]]>([
    ["is of the cluster's own class unless one is named", chosen({}), [undefined, undefined]],
    ['of Kafka finds what Kafka installs', chosen({ class: 'Kafka' }), ['Kafka', kafka]],
    [
      'of RabbitMQ is told which',
      chosen({ class: 'RabbitMQBroker', config: rabbit }),
      ['RabbitMQBroker', rabbit],
    ],
    [
      'of another class has no use for its config',
      chosen({ class: 'RabbitMQBroker', config: rabbit }, { brokerClass: 'Kafka' }),
      ['Kafka', kafka],
    ],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});
