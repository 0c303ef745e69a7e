import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { startControllers } from '../../../infra/local/controllers/index.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import type { Cluster } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { kubeconfigFor } from '../../../infra/local/load/kubeconfigs.ts';
import { bringUp } from '../../../infra/local/platform/bring-up.ts';
import type { Manifest } from '../../../infra/terminal/manifests.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { Front } from './front.ts';
import { Witness } from './witness.ts';

const machines = 'machines.cluster.x-k8s.io';
const secrets = 'secrets';
/** On a machine that is busy with other things all takes many times as long as it needs to. */
const longestMilliseconds = 120_000;

/** A cluster of its own in this process, reached over a network that can fail. */
export interface FailingCluster {
  cluster: Cluster;
  front: Front;
  witness: Witness;
  /** Path of a kubeconfig that leads through the front. */
  kubeconfig: string;
  /** Asks for the deletion of Machines in namespace fleet. */
  ask(...names: string[]): void;
  /** Resolves when the Machines are gone; rejects with what they say when that takes too long. */
  untilGone(...names: string[]): Promise<void>;
}

/** The example fleet without its Job, `more`, and everything a little quicker. Closed when the test is over. */
export async function aFailingCluster(
  { onTestFinished }: TestContext,
  more: readonly Manifest[] = [],
): Promise<FailingCluster> {
  const clock = systemClock;
  const example = (await readExample('capi')).filter(({ object }) => object.kind !== 'Job');
  const manifests = [...example, ...more];
  const api = await startLocalApi({ manifests, clock, random: Math.random });
  const { cluster } = api.apiServer;
  await bringUp(api, clock);
  const { unknownOwners } = api;
  const stop = startControllers(cluster, clock, {
    unknownOwners,
    podStopSeconds: 0.3,
    hookSeconds: 0.3,
    detachSeconds: 0.3,
    infrastructureSeconds: 0.3,
  });
  const witness = new Witness(cluster);
  const front = new Front({ url: api.url, onAnswer: (asked) => witness.saw(asked) });
  await front.open();
  leadThrough(cluster, front.url);
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(async () => {
    stop();
    await front.close();
    await api.close();
    await rm(folder, { recursive: true });
  });
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigFor(front.url));
  return { cluster, front, witness, kubeconfig, ask: asking(cluster), untilGone: awaiting(cluster) };
}

/** The workload cluster is the same one, and its address is in a Secret. */
function leadThrough(cluster: Cluster, url: string): void {
  for (const secret of cluster
    .list(secrets)
    .filter(({ metadata }) => metadata.name.endsWith('-kubeconfig'))) {
    cluster.patch(secrets, secret, { data: { value: btoa(kubeconfigFor(url)) } });
  }
}

const asking =
  (cluster: Cluster) =>
  (...names: string[]): void => {
    for (const name of names) cluster.remove(machines, { metadata: { namespace: 'fleet', name } });
  };

const awaiting =
  (cluster: Cluster) =>
  async (...names: string[]): Promise<void> => {
    const left = (): string[] => names.filter((name) => cluster.get(machines, 'fleet', name) !== undefined);
    await until(() => left().length === 0, longestMilliseconds).catch((error: unknown) => {
      const said = left().map((name) => JSON.stringify(cluster.get(machines, 'fleet', name)?.['status']));
      throw new Error(`still there: ${left().join(', ')}\n${said.join('\n')}`, { cause: error });
    });
  };

export const phaseOf = (cluster: Cluster, name: string): Phase | undefined => {
  const machine = cluster.get(machines, 'fleet', name);
  const text = machine?.metadata.annotations?.[checkpointAnnotation];
  const reading = parseCheckpoint(text, machine?.metadata.uid ?? '');
  return reading.kind === 'valid' ? reading.checkpoint.phase : undefined;
};

export async function until(holds: () => boolean, milliseconds = longestMilliseconds): Promise<void> {
  const latest = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > latest) throw new Error(`not within ${milliseconds} ms`);
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}
