import { describe, expect, test } from 'vitest';
import { reachedByUrl } from '../../../infra/knative/network-policies.ts';
import { at } from './at.ts';
import { ofKind, only, rendered, small } from './rendered.ts';

const kind = 'networking.k8s.io/v1/NetworkPolicy';
const network = { callers: ['knative-serving', 'gateway'], scrapers: ['monitoring'], ports: [443] };
const tick = '{"ping":{"schedule":"@hourly"}}';
const named = (...namespaces: string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: namespaces }],
  },
});
const tcp = (...ports: number[]) => ports.map((port) => ({ protocol: 'TCP', port }));

describe('the functions', () => {
  const policy = only(rendered(small(tick, { network })), kind, 'one-functions');

  test('are reached through Knative alone, and their metrics by those who collect them', () => {
    expect(at(policy, 'spec', 'ingress')).toEqual([
      { from: [named('knative-serving', 'gateway')], ports: tcp(8012, 8013, 8112, 9090) },
      { from: [named('monitoring')], ports: tcp(8080, 9091) },
    ]);
    expect(at(policy, 'spec', 'podSelector', 'matchLabels')).toEqual({
      'app.kubernetes.io/name': 'one',
      'app.kubernetes.io/component': 'functions',
    });
  });

  test('are closed to collectors of metrics where there are none', () => {
    const objects = rendered(small(tick, { network: { ...network, scrapers: [] } }));
    expect(at(only(objects, kind, 'one-functions'), 'spec', 'ingress')).toHaveLength(1);
    expect(at(only(objects, kind, 'one-sources'), 'spec', 'ingress')).toEqual([]);
  });

  test('reach names, the Broker, and API servers', () => {
    expect(at(policy, 'spec', 'egress')).toEqual([
      {
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
          { protocol: 'UDP', port: 5353 },
          { protocol: 'TCP', port: 5353 },
          { protocol: 'UDP', port: 8053 },
          { protocol: 'TCP', port: 8053 },
        ],
      },
      { to: [named('knative-eventing'), { podSelector: {} }] },
      { ports: tcp(443) },
    ]);
  });

  test('reach what their variables name', () => {
    const environment = {
      PHASEOUT_ACTUATOR_URL: 'https://provider.example:9443/v1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.tracing.svc.cluster.local:4318',
    };
    const wider = only(rendered(small(tick, { network }), { environment }), kind, 'one-functions');
    expect(at(wider, 'spec', 'egress', 1, 'to')).toEqual([
      named('knative-eventing', 'tracing'),
      { podSelector: {} },
    ]);
    expect(at(wider, 'spec', 'egress', 2)).toEqual({ ports: tcp(443, 9443) });
  });
});

test('nobody calls the set-up of the table', () => {
  const policy = only(rendered(small(tick, { network })), kind, 'one-table');
  expect(at(policy, 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress']);
  expect(at(policy, 'spec', 'ingress')).toBeUndefined();
});

test('the store that is brought along is for the functions and the set-up of the table', () => {
  const policy = only(rendered(small(tick, { network }), { dynamodbLocal: true }), kind, 'one-store');
  const components = { key: 'app.kubernetes.io/component', operator: 'In', values: ['functions', 'table'] };
  expect(at(policy, 'spec', 'ingress')).toEqual([
    { from: [{ podSelector: { matchExpressions: [components] } }], ports: tcp(8000) },
  ]);
  expect(at(policy, 'spec', 'egress')).toBeUndefined();
});

test('where serverless.yml says nothing of the network, it is left as it is', () => {
  expect(ofKind(rendered(small(tick), { dynamodbLocal: true }), kind)).toEqual([]);
});

test.each<[string, ReturnType<typeof reachedByUrl>]>([
  ['http://a.b.svc:80', { namespaces: ['b'], ports: [] }],
  ['http://a.b.svc.cluster.local', { namespaces: ['b'], ports: [] }],
  ['http://a.example', { namespaces: [], ports: [80] }],
  ['https://a.example', { namespaces: [], ports: [443] }],
  ['http://10.0.0.1:8000/', { namespaces: [], ports: [8000] }],
  ['no url', { namespaces: [], ports: [] }],
  ['ns/name', { namespaces: [], ports: [] }],
])('%s reaches %j', (url, reached) => {
  expect(reachedByUrl([url])).toEqual(reached);
});
