import { type ExampleName, exampleNames } from '../local/examples/names.ts';
import type { ToldOptions } from '../terminal/option.ts';
import type { ValuesOf } from '../terminal/parse-arguments.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { parseWorkloadPaths, type WorkloadPaths } from './workload-paths.ts';

/** How the answer is written. */
export const outputOption = {
  output: { type: 'string', short: 'o', value: 'json', choices: ['json'], meaning: 'as JSON' },
} as const satisfies ToldOptions;

const group = 'Where it looks, if not at the cluster of your current context:';

/** Where Machines are looked for. */
export const sourceOptions = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    isFile: true,
    group,
    meaning: 'look at the cluster that FILE leads to (default: KUBECONFIG, else ~/.kube/config)',
  },
  context: {
    type: 'string',
    value: 'NAME',
    names: 'contexts',
    group,
    meaning: 'of that kubeconfig, if not its current one',
  },
  load: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    isFile: true,
    group,
    meaning:
      'look at manifests or a dump of a cluster (files or folders, YAML or JSON): of the management cluster, or of the only one',
  },
  'load-workload': {
    type: 'string',
    multiple: true,
    value: '[NAMESPACE/CLUSTER=]PATH',
    isFile: true,
    group,
    meaning: 'the same of a workload cluster: then no Node or Pod of --load counts for that Cluster',
  },
  example: {
    type: 'string',
    value: 'NAME',
    choices: exampleNames,
    bare: 'capi',
    group,
    meaning:
      'look at an example fleet: capi (default), openshift, v1alpha1, hooks, whose Machines wait for a function, or policies, whose go one by one',
  },
} as const satisfies ToldOptions;

/** Where Machines are looked for: an example fleet, manifests, or a real cluster. */
export type Source =
  | { kind: 'example'; name: ExampleName }
  | { kind: 'manifests'; paths: string[]; workloads?: WorkloadPaths[] }
  | { kind: 'cluster'; kubeconfig: string; context: string | undefined };

/** Where the Machines are; the example fleet where nothing is said. Throws UsageError. */
export function sourceOf({ context, ...places }: ValuesOf<typeof sourceOptions>): Source {
  const { example, load, 'load-workload': workloads, kubeconfig } = places;
  const given = (['example', 'load', 'kubeconfig'] as const).filter((one) => places[one] !== undefined);
  if (given.length > 1) {
    throw new UsageError(`${given.map((one) => `--${one}`).join(' and ')} exclude each other`);
  }
  if (workloads !== undefined && load === undefined) throw new UsageError('--load-workload needs --load');
  if (kubeconfig !== undefined) return { kind: 'cluster', kubeconfig, context };
  if (context !== undefined) throw new UsageError('--context needs --kubeconfig');
  if (load !== undefined && workloads !== undefined)
    return { kind: 'manifests', paths: load, workloads: parseWorkloadPaths(workloads) };
  if (load !== undefined) return { kind: 'manifests', paths: load };
  return { kind: 'example', name: example ?? 'capi' };
}

/** Undefined where nothing is said. Throws UsageError. */
export function namespaceOf({ namespace }: { namespace?: string | undefined }): string | undefined {
  if (namespace === '') throw new UsageError('--namespace takes the name of a namespace');
  return namespace;
}
