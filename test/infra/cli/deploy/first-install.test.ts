import { describe, expect, it } from 'vitest';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { at } from '../../knative/at.ts';
import { options, ours, someObjects, trigger } from './installation.ts';
import { aCluster, type ClusterOptions, siteAt } from './knative-cluster.ts';

const account = ours('v1', 'ServiceAccount', 'functions');
const service = ours('serving.knative.dev/v1', 'Service', 'phaseout', {
  spec: { template: { spec: { serviceAccountName: 'functions', containers: [{ image: 'phaseout:1' }] } } },
});
const binding = ours('sources.knative.dev/v1', 'SinkBinding', 'phaseout', {
  spec: { subject: { kind: 'Service', namespace: 'phaseout', name: 'phaseout' } },
});

/** As they are rendered: the account before the Service, the SinkBinding, too. */
const objects: KubeObject[] = someObjects.flatMap((object) => {
  if (object.kind === 'ConfigMap') return [account, object];
  return object.kind === 'Service' ? [binding, service] : [object];
});

const withWebhooks = (bindsAfter = 0): ClusterOptions => ({ webhooks: { bindsAfter } });

const serviceIn = ({ cluster }: Awaited<ReturnType<typeof aCluster>>) =>
  cluster.get('services.serving.knative.dev', 'phaseout', 'phaseout');

describe('on a fresh cluster, where Serving dry-runs a Pod for a dry run of a Service', () => {
  it('Namespaces and ServiceAccounts are created before anything is tried', async () => {
    const { site, changes } = siteAt(await aCluster(withWebhooks()));
    expect(await deploy(site, options(objects))).toBe('done');
    expect(changes().slice(0, 3)).toEqual([
      'created Namespace phaseout',
      'created ServiceAccount phaseout/functions',
      'created ConfigMap phaseout/phaseout',
    ]);
  });

  it('a refusal names what was created before it', async () => {
    const cluster = await aCluster(withWebhooks());
    await expect(deploy(siteAt(cluster).site, options([...objects, trigger('A_B')]))).rejects.toThrow(
      /^refused\. Nothing was changed, but these are there now: Namespace phaseout, ServiceAccount phaseout\/functions\. Refused are:\nTrigger phaseout\/A_B: /,
    );
    expect(serviceIn(cluster)).toBeUndefined();
    // The second time these are there, and nothing is changed at all.
    await expect(deploy(siteAt(cluster).site, options([...objects, trigger('A_B')]))).rejects.toThrow(
      /^refused, and nothing was changed:\nTrigger phaseout\/A_B: /,
    );
  });

  it('a dry run says what the cluster could not be asked about', async () => {
    const { site, told, texts } = siteAt(await aCluster(withWebhooks()));
    await deploy(site, options(objects, { dryRun: true }));
    expect(texts().at(-1)).toBe(
      '9 created; the cluster was not asked about 7 of them: their Namespace or ServiceAccount is not there yet; nothing was done: a dry run',
    );
    const untried = told.flatMap((one) =>
      one.event === 'object' && one.isUntried === true ? [one.object] : [],
    );
    expect(untried).not.toContain('Namespace phaseout');
    expect(untried).toContain('Knative Service phaseout/phaseout');
  });

  it('a dry run in a Namespace without the account asks about all but the Service', async () => {
    const cluster = await aCluster(withWebhooks());
    cluster.cluster.create('namespaces', { metadata: { name: 'phaseout' } });
    const { site, told } = siteAt(cluster);
    await deploy(site, options(objects, { dryRun: true }));
    const untried = told.flatMap((one) =>
      one.event === 'object' && one.isUntried === true ? [one.object] : [],
    );
    expect(untried).toEqual(['Knative Service phaseout/phaseout']);
  });
});

describe('a new Service with a SinkBinding', () => {
  it.each([0, 3])(
    'has the address of the Broker from its first version on: a webhook that is late by %i',
    async (late) => {
      const cluster = await aCluster(withWebhooks(late));
      const { site, told } = siteAt(cluster);
      await deploy(site, options(objects));
      expect(at(serviceIn(cluster), 'spec', 'template', 'spec', 'containers', 0, 'env')).toEqual([
        { name: 'K_SINK', value: 'http://broker/phaseout' },
      ]);
      expect(serviceIn(cluster)?.metadata.generation).toBe(1);
      const waits = told.filter((one) => one.event === 'waiting' && one.why === 'it has not taken hold yet');
      expect(waits).toHaveLength(late === 0 ? 0 : 1);
    },
  );

  it('comes without it after a minute, and deploy says what follows', async () => {
    const cluster = await aCluster({ webhooks: 'none' });
    const { site, told } = siteAt(cluster);
    expect(await deploy(site, options(objects))).toBe('done');
    expect(told).toContainEqual({
      event: 'warning',
      text: 'SinkBinding phaseout/phaseout has not taken hold: Knative Service phaseout/phaseout starts twice',
    });
  });

  it('is not waited for where the Service is there already', async () => {
    const cluster = await aCluster();
    await deploy(siteAt(cluster).site, options(objects));
    const { site, told } = siteAt(cluster);
    await deploy(site, options(objects));
    expect(told.filter(({ event }) => event === 'waiting' || event === 'warning')).toEqual([]);
  });
});
