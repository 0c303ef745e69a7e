import type { TestContext } from 'vitest';
import type { FailingCluster } from './cluster.ts';
import { phaseout } from './phaseout.ts';
import type { Running } from './spawned.ts';

/** `phaseout run` as a process of its own, on this cluster. */
export const started = (context: TestContext, { kubeconfig }: FailingCluster): Running =>
  phaseout(context, 'run', '--kubeconfig', kubeconfig);

export const problemsOf = ({ witness }: FailingCluster): string[] => [
  ...witness.problems,
  ...witness.evictedTwice().map((uid) => `Pod ${uid} was evicted twice`),
];
