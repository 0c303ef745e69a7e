import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLooker } from '../../../../infra/cli/look/looker.ts';
import { main } from '../../../../infra/cli/main.ts';
import { sightOf } from '../../../../infra/cli/page/sight-of.ts';
import { type LocalApi, startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { openAllViews } from '../../../../infra/page/look/open-plans.ts';
import type { PlanView } from '../../../../infra/page/views.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { fleetClusters, fleetDump } from '../../../builders/fleet/fleet-dump.ts';
import { anOutside } from '../outside.ts';
import { first, noRecords } from '../readers/read-all.ts';

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

/** A fleet as API servers have it, and how many requests each gets at most. Pods take two pages. */
async function aServedFleet() {
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
  const most = [[...management, ...madeUp], ...fleetClusters.map((name) => workloads.get(name) ?? [])].map(
    (objects) => pages(objects) + 10,
  );
  const counts = () => [api, ...api.workloads].map(requestsTo);
  let before = counts();
  return {
    outside,
    written,
    kubeconfig,
    most,
    /** Since the last time. */
    asked: () => {
      const since = counts().map((count, index) => count - (before[index] ?? 0));
      before = counts();
      return since;
    },
  };
}

it('lists each kind of a cluster once, and asks for little else', async () => {
  const { outside, written, kubeconfig, most, asked } = await aServedFleet();
  expect(await main(['plan', '--all', '--kubeconfig', kubeconfig], outside)).toBe(4);
  expect(written.stdout.split('\n')[0]).toBe('180 Machines: 125 go, 42 held, 13 wait, 0 unknown');
  expect(asked().map((count, index) => count <= (most[index] ?? 0))).toEqual([true, true, true, true]);
});

it('asks for no more on the page, once for all who read it, and lists again later', async () => {
  const { outside, kubeconfig, most, asked } = await aServedFleet();
  await using closing = new AsyncDisposableStack();
  const source = { kind: 'cluster', kubeconfig, context: undefined } as const;
  const time = { seconds: 0 };
  const clock = { ...outside.clock, stopwatch: stopwatchesOf(time) };
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const views = openAllViews(await sightOf(looker, { source, subject: 'it', recordsOf: noRecords }, clock));
  const isWithin = (counts: readonly number[]) =>
    counts.map((count, index) => count > 0 && count <= (most[index] ?? 0));
  const read = () => first<PlanView>(views('/api/plan', new URLSearchParams()));
  asked();
  const [one, other] = await Promise.all([read(), read()]);
  const third = await read();
  expect([one, other, third].map(({ totals }) => totals)).toEqual(
    Array.from({ length: 3 }, () => ({ machines: 180, goes: 125, held: 42, waits: 13, unknown: 0 })),
  );
  expect(isWithin(asked())).toEqual([true, true, true, true]);
  time.seconds = 10;
  expect((await read()).totals).toEqual(one.totals);
  expect(isWithin(asked())).toEqual([true, true, true, true]);
});

const stopwatchesOf = (time: { seconds: number }) => () => {
  const began = time.seconds;
  return () => (time.seconds - began) * 1_000;
};
