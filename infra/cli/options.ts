import { hasBeside, type Mode, modes } from '../../shared/dialects/registry.ts';
import {
  isJson,
  type OptionsConfig,
  parseOptions,
  secondsOf,
  type ValuesOf,
} from '../terminal/parse-arguments.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { type ApiName, apiGroups, isApiName } from './api-names.ts';
import { type MachineName, parseMachineName } from './machine-name.ts';
import { parseWorkloadPaths, type WorkloadPaths } from './workload-paths.ts';

/** Where Machines are looked for, and how the answer is written. */
export const sourceOptions = {
  example: { type: 'string', choices: Object.keys(apiGroups) },
  load: { type: 'string', multiple: true, isFile: true },
  'load-workload': { type: 'string', multiple: true, isFile: true },
  kubeconfig: { type: 'string', isFile: true },
  context: { type: 'string' },
  output: { type: 'string', short: 'o', choices: ['json'] },
} as const satisfies OptionsConfig;

/** Options of `phaseout run`. */
export const optionsOfRun = {
  ...sourceOptions,
  delete: { type: 'string', multiple: true },
  serve: { type: 'boolean' },
  timeout: { type: 'string' },
  timeline: { type: 'boolean' },
  mode: { type: 'string', choices: modes },
} as const satisfies OptionsConfig;

/** Where Machines are looked for: an example fleet, manifests, or a real cluster. */
export type Source =
  | { kind: 'example'; name: ApiName }
  | { kind: 'manifests'; paths: string[]; workloads?: WorkloadPaths[] }
  | { kind: 'cluster'; kubeconfig: string; context: string | undefined };

export interface RunOptions {
  source: Source;
  /** Undefined when nothing was said about it. */
  targets: MachineName[] | undefined;
  serve: boolean;
  /** Undefined means for ever. */
  timeoutSeconds: number | undefined;
  json: boolean;
  /** Text tells when each Machine was in which phase; without it each end is one line. */
  timeline: boolean;
  /** How phaseout works with Machines of Cluster API; undefined when nothing was said about it. */
  mode: Mode | undefined;
}

/** Throws UsageError. */
export function readRunOptions(args: readonly string[]): RunOptions {
  const values = parseOptions(args, optionsOfRun);
  const source = sourceOf(values);
  return {
    source,
    targets: values.delete?.map(parseMachineName),
    serve: values.serve ?? false,
    timeoutSeconds: timeoutOf(values.timeout, source),
    json: isJson(values.output),
    // A cluster may have hundreds of Machines that end.
    timeline: values.timeline ?? source.kind !== 'cluster',
    mode: readMode(values.mode, source),
  };
}

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
  if (example === undefined) return { kind: 'example', name: 'capi' };
  if (isApiName(example)) return { kind: 'example', name: example };
  const known = Object.keys(apiGroups).join(', ');
  throw new UsageError(`there is no example ${JSON.stringify(example)} (there are ${known})`);
}

const localTimeoutSeconds = 120;

function timeoutOf(text: string | undefined, { kind }: Source): number | undefined {
  return text === undefined && kind !== 'cluster' ? localTimeoutSeconds : secondsOf(text);
}

/** Watching the Machine API's own controller, beside it, or in its place. Throws UsageError. */
function readMode(text: string | undefined, source: Source): Mode | undefined {
  const mode = modes.find((each) => each === text);
  if (text !== undefined && mode === undefined)
    throw new UsageError(`--mode takes one of ${modes.join(', ')}, not ${JSON.stringify(text)}`);
  if (mode === undefined || mode === 'replace') return mode;
  if (mode === 'beside' && source.kind === 'example' && !hasBeside(source.name))
    throw new UsageError(
      `--mode beside is for Machines of Cluster API and OpenShift: the example ${source.name} has none`,
    );
  if (source.kind === 'manifests' && source.workloads !== undefined)
    throw new UsageError(
      `--mode ${mode} takes no --load-workload: the controller of Cluster API that is played sees Nodes of its own cluster only`,
    );
  return mode;
}
