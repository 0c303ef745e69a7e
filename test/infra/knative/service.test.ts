import { describe, expect, test } from 'vitest';
import { newestVersions } from '../../../infra/knative/options.ts';
import { at } from './at.ts';
import { ofKind, only, rendered, renderedForAll, small } from './rendered.ts';

const advance = '{"trigger":{"filter":{"attributes":{"type":"t"}}}}';
const service = 'serving.knative.dev/v1/Service';

const annotations = (environment: Record<string, string>) =>
  at(only(rendered(small(advance), { environment }), service), 'spec', 'template', 'metadata', 'annotations');

const data = (...[options]: Parameters<typeof renderedForAll>) =>
  at(only(renderedForAll(options), 'v1/ConfigMap'), 'data');

describe('a Service', () => {
  const [one] = ofKind(rendered(small(advance), { image: 'registry.example/phaseout:1' }), service);
  const pod = at(one, 'spec', 'template', 'spec');
  const container = at(pod, 'containers', 0);

  test('runs the image with the functions that live in it, and the common configuration', () => {
    expect(at(container, 'image')).toBe('registry.example/phaseout:1');
    expect(at(container, 'env')).toContainEqual({ name: 'PHASEOUT_FUNCTIONS', value: 'drain' });
    expect(at(container, 'envFrom')).toEqual([
      { configMapRef: { name: 'one' } },
      { secretRef: { name: 'one-aws-credentials', optional: true } },
    ]);
    expect(at(pod, 'serviceAccountName')).toBe('sa');
  });

  test('may do nothing that it does not need', () => {
    expect(at(container, 'securityContext')).toEqual({
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(at(one, 'metadata', 'labels', 'networking.knative.dev/visibility')).toBe('cluster-local');
  });

  test('is asked each second whether it is ready', () => {
    expect(at(container, 'readinessProbe')).toEqual({
      httpGet: { path: '/health/readiness' },
      periodSeconds: 1,
      timeoutSeconds: 5,
    });
    expect(at(container, 'livenessProbe', 'httpGet')).toEqual({ path: '/health/liveness' });
  });

  test('of our own runs as up to five instances, of which one at a time takes a step of a Machine', () => {
    const own = ofKind(renderedForAll(), service);
    const scale = (name: string) =>
      own.map((each) =>
        at(each, 'spec', 'template', 'metadata', 'annotations', `autoscaling.knative.dev/${name}`),
      );
    expect([scale('min-scale'), scale('max-scale')]).toEqual([['0'], ['5']]);
  });

  test('scales as it is told', () => {
    const scaling = {
      minScale: 1,
      maxScale: 9,
      containerConcurrency: 20,
      timeoutSeconds: 50,
      target: 10,
      window: '40s',
      podRetention: '5s',
      scaleDownDelay: '6s',
    };
    const scaled = only(rendered(small(advance, { scaling })), service);
    expect(at(scaled, 'spec', 'template', 'metadata', 'annotations')).toMatchObject({
      'autoscaling.knative.dev/min-scale': '1',
      'autoscaling.knative.dev/max-scale': '9',
      'autoscaling.knative.dev/target': '10',
      'autoscaling.knative.dev/window': '40s',
      'autoscaling.knative.dev/scale-to-zero-pod-retention-period': '5s',
      'autoscaling.knative.dev/scale-down-delay': '6s',
      'prometheus.io/port': '8080',
    });
    expect(at(scaled, 'spec', 'template', 'spec')).toMatchObject({
      containerConcurrency: 20,
      timeoutSeconds: 50,
    });
    // Requests and the end of a process have to fit into Knative's timeout. queue-proxy has 30 seconds of it.
    expect(at(scaled, 'spec', 'template', 'spec', 'containers', 0, 'env')).toEqual([
      { name: 'PHASEOUT_FUNCTIONS', value: 'drain' },
      { name: 'PHASEOUT_REQUEST_TIMEOUT_SECONDS', value: '40' },
      { name: 'PHASEOUT_SHUTDOWN_SECONDS', value: '15' },
    ]);
  });

  test('has what it has differently from the others', () => {
    const services = { svc: { environment: { AWS_REGION: 'x' }, resources: { limits: { memory: '1Gi' } } } };
    const different = only(
      rendered(small(advance, { environment: { AWS_REGION: 'y', A: 'a' }, services })),
      service,
    );
    const own = at(different, 'spec', 'template', 'spec', 'containers', 0);
    expect(at(own, 'env')).toContainEqual({ name: 'AWS_REGION', value: 'x' });
    expect(at(own, 'env')).not.toContainEqual({ name: 'A', value: 'a' });
    expect(at(own, 'resources')).toEqual({ limits: { memory: '1Gi' } });
  });

  test('is begun anew when its configuration is another', () => {
    expect(annotations({})).toEqual(annotations({ PHASEOUT_LOG: 'json' }));
    expect(annotations({})).not.toEqual(annotations({ PHASEOUT_LOG: 'text' }));
    expect(annotations({})).not.toEqual(annotations({ PHASEOUT_DYNAMODB_ENDPOINT: 'http://store:8000' }));
  });
});

describe('the configuration', () => {
  test('says every variable that is the same for all instances', () => {
    expect(data()).toMatchObject({
      PHASEOUT_TABLE: 'phaseout',
      PHASEOUT_LOOK_AGAIN_SECONDS: '20',
      PHASEOUT_MACHINE_APIS: 'capi,openshift,v1alpha1',
      PHASEOUT_DUE_PING_SOURCE: 'phaseout/sweep-due',
    });
    for (const name of ['PORT', 'K_SINK', 'NODE_NAME', 'KUBECONFIG', 'PHASEOUT_FUNCTIONS'])
      expect(data()).not.toHaveProperty(name);
  });

  test('has the Machine APIs that are served, and what is set from outside', () => {
    const { openshift } = newestVersions;
    expect(data({ machineApis: { openshift } })).toMatchObject({ PHASEOUT_MACHINE_APIS: 'openshift' });
    expect(data({ environment: { PHASEOUT_TABLE: 'other', AWS_REGION: 'x' } })).toMatchObject({
      PHASEOUT_TABLE: 'other',
      AWS_REGION: 'x',
    });
  });

  test('has the namespaces that alone are looked after', () => {
    expect(data({ namespaces: ['fleet', 'other'] })).toMatchObject({ PHASEOUT_NAMESPACES: 'fleet,other' });
    expect(data()).toMatchObject({ PHASEOUT_NAMESPACES: '' });
  });

  test('leads to the store that is brought along', () => {
    expect(data({ dynamodbLocal: true, namespace: 'elsewhere' })).toMatchObject({
      PHASEOUT_DYNAMODB_ENDPOINT: 'http://phaseout-dynamodb.elsewhere.svc:8000',
    });
  });
});
