import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { type LocalApi, startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { fleetClusters, fleetDump } from '../../../builders/fleet/fleet-dump.ts';
import { anOutside } from '../outside.ts';

const manifests = (objects: readonly KubeObject[]) => objects.map((object) => ({ from: 'test', object }));

const requestsTo = ({ apiServer }: Pick<LocalApi, 'apiServer'>): number =>
  apiServer.requests().reduce((sum, { count }) => sum + count, 0);

/** What the dump leaves out of the cluster of the Machines, and the local platform makes up. */
const madeUp = ['HostedControlPlane', 'AWSMachine'].map((kind) => ({ kind }));

const pages = (objects: readonly Pick<KubeObject, 'kind'>[]): number =>
  [...Map.groupBy(objects, ({ kind }) => kind).values()].reduce(
    (sum, those) => sum + Math.ceil(those.length / 500),
    0,
  );

it('lists each kind of a cluster once, and asks for little else', async () => {
  // 60 Nodes with 10 Pods: those take two pages.
  const { management, workloads } = fleetDump({ machines: 60, podsPerNode: 10 });
  const api = await startLocalApi({
    manifests: manifests(management),
    workloads: [...workloads].map(([name, objects]) => ({
      namespace: 'fleet',
      name,
      manifests: manifests(objects),
    })),
    clock: systemClock,
    random: Math.random,
  });
  onTestFinished(() => api.close());
  const { outside, written, folder } = await anOutside();
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, api.kubeconfig);
  const before = [api, ...api.workloads].map(requestsTo);
  expect(await main(['plan', '--all', '--kubeconfig', kubeconfig], outside)).toBe(4);
  expect(written.stdout.split('\n')[0]).toBe('180 Machines: 125 go, 42 held, 13 wait, 0 unknown');
  const asked = [api, ...api.workloads].map((each, index) => requestsTo(each) - (before[index] ?? 0));
  const most = [[...management, ...madeUp], ...fleetClusters.map((name) => workloads.get(name) ?? [])].map(
    (objects) => pages(objects) + 10,
  );
  expect(asked.map((count, index) => count <= (most[index] ?? 0))).toEqual([true, true, true, true]);
});
