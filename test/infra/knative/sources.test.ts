import { describe, expect, test } from 'vitest';
import { at } from './at.ts';
import { ofKind, only, rendered, small, written } from './rendered.ts';

const advance = '{"trigger":{"filter":{"attributes":{"type":"t"}}}}';
const trigger = 'eventing.knative.dev/v1/Trigger';
const apiServerSource = 'sources.knative.dev/v1/ApiServerSource';
const pingSource = 'sources.knative.dev/v1/PingSource';

const toBroker = {
  ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'b', namespace: 'ns' },
};

const watching = (more = {}) =>
  JSON.stringify({
    apiServer: { apiVersion: 'v1', kind: 'Pod', plural: 'pods', changes: ['add'], ...more },
  });

describe('an ApiServerSource', () => {
  const spec = {
    serviceAccountName: 'phaseout-sources',
    mode: 'Resource',
    resources: [{ apiVersion: 'v1', kind: 'Pod' }],
    sink: toBroker,
  };

  test('watches all namespaces, or stands in each that is named', () => {
    const everywhere = only(rendered(small(watching())), apiServerSource);
    expect(everywhere.metadata.namespace).toBe('ns');
    expect(at(everywhere, 'spec')).toEqual({ ...spec, namespaceSelector: {} });

    const objects = rendered(small(watching()), { namespaces: ['a', 'b'] });
    const sources = ofKind(objects, apiServerSource);
    expect(sources.map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
    expect(sources.map((source) => at(source, 'spec'))).toEqual([spec, spec]);
    const accounts = ofKind(objects, 'v1/ServiceAccount').map(({ metadata: { name, namespace } }) => [
      name,
      namespace,
    ]);
    expect(accounts).toEqual([
      ['sa', 'ns'],
      ['phaseout-table', 'ns'],
      ['phaseout-sources', 'a'],
      ['phaseout-sources', 'b'],
    ]);
  });

  test('has its selector as objects have it', () => {
    const [source] = ofKind(rendered(small(watching({ labelSelector: 'a=b' }))), apiServerSource);
    expect(at(source, 'spec', 'resources', 0, 'selector')).toEqual({ matchLabels: { a: 'b' } });
  });

  test('watches the version that the cluster serves, and the Trigger listens to that', () => {
    const objects = rendered(written(), { machineApis: { capi: 'cluster.x-k8s.io/v1beta1' } });
    const source = only(objects, apiServerSource);
    expect(source.metadata.name).toBe('machines-cluster-x-k8s-io-v1beta1');
    expect(at(source, 'spec', 'resources', 0, 'apiVersion')).toBe('cluster.x-k8s.io/v1beta1');
    const listening = { apiversion: 'cluster.x-k8s.io/v1beta1', kind: 'Machine' };
    const selection = only(objects, trigger, 'intake-cluster-api');
    expect(at(selection, 'spec', 'filters', 1)).toEqual({ exact: listening });
    expect(at(selection, 'spec', 'filter')).toEqual({ attributes: listening });
  });
});

describe('a PingSource', () => {
  test('says both of its schedules where it may rest, and ticks until it is told to', () => {
    const event = '{"ping":{"schedule":"* * * * * *","atRest":"@yearly","data":{"sweep":"due"}}}';
    const { metadata, ...source } = only(rendered(small(event)), pingSource);
    expect(metadata.annotations).toEqual({
      'phaseout.dev/schedule-while-deleting': '* * * * * *',
      'phaseout.dev/schedule-at-rest': '@yearly',
    });
    expect(source['spec']).toEqual({
      schedule: '* * * * * *',
      contentType: 'application/json',
      data: '{"sweep":"due"}',
      sink: toBroker,
    });
  });

  test('says nothing of it where it may not', () => {
    const { metadata } = only(rendered(small('{"ping":{"schedule":"@hourly"}}')), pingSource);
    expect(metadata.annotations).toBeUndefined();
  });
});

test('a SinkBinding tells each Service where the Broker is', () => {
  expect(at(only(rendered(small(advance)), 'sources.knative.dev/v1/SinkBinding'), 'spec')).toEqual({
    subject: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'svc', namespace: 'ns' },
    sink: toBroker,
  });
});
