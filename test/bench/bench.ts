import { startPlatform } from '../../infra/local/platform/platform.ts';
import type { Manifest } from '../../infra/terminal/manifests.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { decisionMicrosecondsPerPod } from './decisions.ts';
import { behindOneBudget, type FleetSize, fleet } from './fleet.ts';
import { percentile, Waits } from './waits.ts';

const machinesResource = 'machines.cluster.x-k8s.io';
const longestMilliseconds = 120_000;

console.log('Decision time (10 rules), microseconds per Pod');
for (const count of [10, 100, 1_000]) {
  console.log(`  ${String(count).padStart(5)} Pods: ${decisionMicrosecondsPerPod(count).toFixed(2)}`);
}
await measure('One Machine, 30 Pods', { machines: 1, podsPerMachine: 30, orders: 1 });
await measure('One Machine, 30 Pods in three orders', { machines: 1, podsPerMachine: 30, orders: 3 });
await measure('20 Machines, 10 Pods each', { machines: 20, podsPerMachine: 10, orders: 1 });
await measure('50 Machines, 20 Pods each', { machines: 50, podsPerMachine: 20, orders: 1 });
await measure('One Machine, 10 of 20 Pods behind a budget of one', {
  machines: 1,
  podsPerMachine: 10,
  orders: 1,
  manifests: behindOneBudget(),
});

/** Deletes every worker of a fleet at once, on the local platform, with Pods that stop in one second. */
async function measure(title: string, size: FleetSize & { manifests?: Manifest[] }): Promise<void> {
  const begun = performance.now();
  const { manifests = fleet(size) } = size;
  const platform = await startPlatform({ clock: systemClock, random: Math.random, manifests });
  const startUp = performance.now() - begun;
  const { cluster } = platform.apiServer;
  const kept = cluster.list(machinesResource).length - size.machines;
  const waits = new Waits(cluster);
  const before = total(platform.requests());
  const start = performance.now();
  for (let index = 0; index < size.machines; index += 1) {
    const machine = cluster.get(machinesResource, 'fleet', `worker-${index}`);
    if (machine === undefined) throw new Error(`worker-${index} was not loaded`);
    cluster.remove(machinesResource, machine);
  }
  while (cluster.list(machinesResource).length > kept) {
    if (performance.now() - start > longestMilliseconds) throw new Error(`${title}: not done in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seconds = (performance.now() - start) / 1_000;
  const requests = total(platform.requests()) - before;
  await platform.close();
  const pods = size.machines * size.podsPerMachine;
  const megabytes = process.memoryUsage.rss() / 1_048_576;
  console.log(title);
  console.log(`  start-up of the platform   ${startUp.toFixed(0)} ms`);
  console.log(
    `  done in                    ${seconds.toFixed(2)} s (${(size.machines / seconds).toFixed(1)} deletions/s)`,
  );
  console.log(
    `  added wait                 p50 ${percentile(waits.milliseconds, 0.5).toFixed(0)} ms, p99 ${percentile(waits.milliseconds, 0.99).toFixed(0)} ms (n=${waits.milliseconds.length})`,
  );
  console.log(
    `  API requests               ${requests} (${(requests / size.machines).toFixed(1)} per Machine, ${(requests / pods).toFixed(2)} per Pod)`,
  );
  console.log(`  memory, platform included  ${megabytes.toFixed(0)} MiB`);
}

function total(requests: readonly { count: number }[]): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}
