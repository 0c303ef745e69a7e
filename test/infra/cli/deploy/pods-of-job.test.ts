import { expect, it } from 'vitest';
import { podsOfJob } from '../../../../infra/cli/deploy/pods-of-job.ts';
import { ours } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const failed = { terminated: { reason: 'Error', message: 'no\ncredentials' } };

it.each<[string, object, string]>([
  ['has only just come', {}, 'Pending'],
  ['runs', { phase: 'Running', containerStatuses: [{ state: { running: {} } }] }, 'Running'],
  [
    'finds no Node',
    { phase: 'Pending', conditions: [{ status: 'False', reason: 'Unschedulable', message: '0/3 Nodes' }] },
    'Pending, Unschedulable: 0/3 Nodes',
  ],
  [
    'gets no image',
    {
      phase: 'Pending',
      conditions: [{ status: 'False', reason: 'ContainersNotReady' }],
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }],
    },
    'Pending, ErrImagePull: not found',
  ],
  [
    'fails again and again',
    {
      phase: 'Running',
      containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: failed }],
    },
    'Running, Error: no credentials',
  ],
  [
    'has failed',
    { phase: 'Failed', containerStatuses: [{ state: failed }] },
    'Failed, Error: no credentials',
  ],
])('a Pod of a Job that %s says so', async (_, status, text) => {
  const cluster = await aCluster();
  cluster.cluster.create('namespaces', { metadata: { name: 'phaseout' } });
  const metadata = { name: 'table-x', namespace: 'phaseout', labels: { 'job-name': 'table' } };
  const spec = { containers: [{ name: 'table', image: 'phaseout' }] };
  const pod = cluster.cluster.create('pods', { metadata, spec });
  cluster.cluster.patch('pods', pod, { status: { conditions: [], ...status } }, 'status');
  const { site } = siteAt(cluster);
  expect(await podsOfJob(site, ours('batch/v1', 'Job', 'table'))).toEqual([`Pod table-x: ${text}`]);
  expect(await podsOfJob(site, ours('batch/v1', 'Job', 'other'))).toEqual([]);
});
