import { expect, test } from 'vitest';
import { applyObject } from '../../../../infra/cli/deploy/apply-object.ts';
import type { ApplyOptions } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { ours } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const containers = [{ name: 'table', image: 'phaseout:1' }];
const job = ours('batch/v1', 'Job', 'phaseout-table', {
  spec: { template: { spec: { restartPolicy: 'Never', containers } } },
});

// If the Job is there again, somebody else made it after ours was gone. The caller did not ask to take its fields.
test('what is made again takes no fields from others, though the one before might have', async () => {
  const cluster = await aCluster({ holding: { 'phaseout-table': 'exit code 1' } });
  cluster.cluster.create('namespaces', { metadata: { name: 'phaseout' } });
  const { site } = siteAt(cluster);
  const { kubernetes: behind } = siteAt(cluster).site;
  const asked: ApplyOptions[] = [];
  site.kubernetes.apply = (resource, object, options) => {
    asked.push(options);
    return behind.apply(resource, object, options);
  };
  const wishes = { force: true, dryRun: false };
  await applyObject(site, job, wishes);
  expect(await applyObject(site, job, wishes)).toEqual({ change: 'replaced', fields: [] });
  expect(asked.map(({ force }) => force)).toEqual([true, true, false]);
});
