import { describe, expect, test } from 'vitest';
import { hookWatchdog } from '../../../infra/knative/hook-watchdog.ts';
import { installationOf } from '../../../infra/knative/installation.ts';
import type { RenderOptions } from '../../../infra/knative/options.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { at } from './at.ts';
import { ofKind, only, rendered, small, written } from './rendered.ts';

const renderedBy = (options: Partial<RenderOptions> = {}): KubeObject[] =>
  hookWatchdog(installationOf(written(), { machineApis: {}, ...options }));

const podOf = (objects: readonly KubeObject[]): unknown =>
  at(only(objects, 'batch/v1/CronJob'), 'spec', 'jobTemplate', 'spec', 'template', 'spec');

describe('the hook watchdog', () => {
  test('looks every five minutes, one at a time', () => {
    expect(only(renderedBy(), 'batch/v1/CronJob').spec).toMatchObject({
      schedule: '*/5 * * * *',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { backoffLimit: 0, activeDeadlineSeconds: 280 } },
    });
  });

  test('needs no object of the installation, whose namespace may be deleted', () => {
    const places = renderedBy().map(({ metadata }) => metadata.namespace ?? 'cluster');
    expect(new Set(places)).toEqual(new Set(['cluster', 'phaseout-dead-man']));
    expect(JSON.stringify(podOf(renderedBy()))).not.toMatch(/envFrom|valueFrom|volumes/);
  });

  test('runs its own file of the image, and may do nothing that it need not', () => {
    expect(podOf(renderedBy({ image: 'example.com/phaseout:1' }))).toMatchObject({
      serviceAccountName: 'phaseout-dead-man',
      restartPolicy: 'Never',
      containers: [
        {
          image: 'example.com/phaseout:1',
          command: ['/nodejs/bin/node', '/app/dead-man.cjs'],
          securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true },
        },
      ],
    });
  });

  test('knows where the Lease is, and where the Machines are', () => {
    const pod = podOf(renderedBy({ namespace: 'elsewhere', namespaces: ['fleet', 'other'] }));
    expect(at(pod, 'containers', 0, 'env')).toEqual([
      { name: 'LEASE_NAMESPACE', value: 'elsewhere' },
      { name: 'PHASEOUT_INSTALLATION', value: '' },
      { name: 'PHASEOUT_NAMESPACES', value: 'fleet,other' },
    ]);
  });

  test('of a named installation reads the Lease of that one', () => {
    const objects = renderedBy({ environment: { PHASEOUT_INSTALLATION: 'blue' } });
    expect(at(podOf(objects), 'containers', 0, 'env', 1)).toEqual({
      name: 'PHASEOUT_INSTALLATION',
      value: 'blue',
    });
    const role = only(objects, 'rbac.authorization.k8s.io/v1/ClusterRole');
    expect(at(role, 'rules', 3, 'resourceNames')).toEqual(['phaseout-blue']);
  });

  test('reaches API servers and name servers, and is reached by none', () => {
    const policy = only(renderedBy(), 'networking.k8s.io/v1/NetworkPolicy');
    expect(at(policy, 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress']);
    expect(at(policy, 'spec', 'ingress')).toBeUndefined();
    expect(at(policy, 'spec', 'egress', 1, 'ports')).toEqual(
      [443, 6443, 8443].map((port) => ({ protocol: 'TCP', port })),
    );
  });

  test('leaves the network alone where serverless.yml says nothing of it', () => {
    const installation = installationOf(small('{"ping":{"schedule":"@hourly"}}'), { machineApis: {} });
    expect(ofKind(hookWatchdog(installation), 'networking.k8s.io/v1/NetworkPolicy')).toEqual([]);
  });
});

describe('an installation', () => {
  test.each([
    ['beside Cluster API’s own controller has one', 'capi:beside', 'cluster.x-k8s.io/v1beta2', 1],
    ['in its place has none', 'replace', 'cluster.x-k8s.io/v1beta2', 0],
    ['without Cluster API has none', 'capi:beside', undefined, 0],
  ])('%s', (_, mode, apiVersion, count) => {
    const machineApis = apiVersion === undefined ? {} : { capi: apiVersion };
    const objects = rendered(written(), { machineApis, environment: { PHASEOUT_MODE: mode } });
    const own = ofKind(objects, 'batch/v1/CronJob');
    expect(own).toHaveLength(count);
    const managers = own.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by']);
    expect(managers).toEqual(Array.from({ length: count }, () => 'phaseout'));
  });
});
