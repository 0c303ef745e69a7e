import { describe, expect, test } from 'vitest';
import type { RenderOptions } from '../../../infra/knative/options.ts';
import { refusals } from './knative-rules.ts';
import { only, renderedForAll } from './rendered.ts';

describe("Knative's webhooks take what is rendered", () => {
  test.each<[string, Partial<RenderOptions>]>([
    ['by default', {}],
    ['with a store', { dynamodbLocal: true }],
    ['for namespaces', { namespaces: ['a', 'b'] }],
    ['on Kafka', { brokerClass: 'Kafka' }],
    ['elsewhere', { namespace: 'elsewhere', image: 'registry.example/phaseout:1' }],
    ['with a provider', { environment: { PHASEOUT_ACTUATOR_URL: 'http://provider.servers.svc' } }],
  ])('%s', (_name, options) => {
    expect(renderedForAll(options).flatMap(refusals)).toEqual([]);
  });
});

describe('and would not take', () => {
  const objects = renderedForAll();
  const service = only(objects, 'serving.knative.dev/v1/Service');

  test.each<[string, string, string[]]>([
    ['the security of the whole Pod', '"containers":', ['pod.securityContext must not be set']],
    ['a token that is left out', '"containers":', ['pod.automountServiceAccountToken must not be set']],
  ])('%s', (_name, before, says) => {
    const field = says[0]?.split('.')[1]?.split(' ')[0] ?? '';
    const changed = JSON.parse(JSON.stringify(service).replace(before, `"${field}":{},${before}`));
    expect(refusals(changed)).toEqual(says.map((said) => `Service phaseout: ${said}`));
  });

  test('the name of the Node by the downward API', () => {
    const variable = '{"name":"NODE_NAME","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}';
    const changed = JSON.parse(JSON.stringify(service).replace('"env":[', `"env":[${variable},`));
    expect(refusals(changed)).toEqual(['Service phaseout: fieldRef needs kubernetes.podspec-fieldref']);
  });

  test('a Trigger without the kind of its subscriber', () => {
    const trigger = only(objects, 'eventing.knative.dev/v1/Trigger', 'drain');
    const changed = JSON.parse(JSON.stringify(trigger).replaceAll('"kind":"Service",', ''));
    expect(refusals(changed)).toEqual([
      'Trigger drain: subscriber.ref has no kind',
      'Trigger drain: deadLetterSink.ref has no kind',
    ]);
  });
});
