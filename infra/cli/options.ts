import { hasBeside, type Mode, modes } from '../../shared/dialects/registry.ts';
import type { HookFunction } from '../local/eventing/hook-trigger.ts';
import type { ToldOptions } from '../terminal/option.ts';
import { isJson, parseOptions, secondsOf, type ValuesOf } from '../terminal/parse-arguments.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { examples } from './examples.ts';
import { parseHookFunction } from './hook-function.ts';
import { type MachineName, parseMachineName } from './machine-name.ts';
import { namespaceOf, outputOption, type Source, sourceOf, sourceOptions } from './source.ts';

/** Options of `phaseout run`. */
export const optionsOfRun = {
  example: {
    ...sourceOptions.example,
    group: '',
    meaning:
      'the fleet: capi (default), openshift, v1alpha1, or hooks, whose Machines wait for a function in this process',
  },
  load: {
    ...sourceOptions.load,
    group: '',
    meaning:
      'instead of an example: manifests or a dump of a cluster (files or folders, YAML or JSON); of the management cluster, or of the only one',
  },
  'load-workload': { ...sourceOptions['load-workload'], group: '' },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: modes,
    meaning:
      "with Machines of Cluster API or OpenShift: beside runs the API's own controllers too, which go on where phaseout hands a Machine over, and says in the end what they would have taken alone; replace (default) does it all. With Machines of any API: observe only watches its own controller, and writes nothing. With --kubeconfig, as that cluster has its controller running or not",
  },
  delete: {
    type: 'string',
    multiple: true,
    value: 'NAMESPACE/NAME',
    names: 'machines',
    meaning: 'the Machines to delete; with --load by default those that were being deleted',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    names: 'namespaces',
    meaning: 'of those that --delete names by NAME alone',
  },
  serve: {
    type: 'boolean',
    meaning: 'keep running, for kubectl; deletes nothing that --delete does not name',
  },
  hook: {
    type: 'string',
    multiple: true,
    value: 'NAMESPACE/NAME=URL',
    meaning: 'bring the calls of this DeletionHook to a function that runs at URL, and its answers back',
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    meaning: 'stop after SECONDS (0 = no limit; default: 120 locally, none with --kubeconfig)',
  },
  timeline: {
    type: 'boolean',
    meaning: 'show the phases of each Machine that ends; with --kubeconfig its end is one line otherwise',
  },
  output: {
    ...outputOption.output,
    meaning: 'one JSON object per line instead of text, with the timelines in the last one',
  },
  kubeconfig: {
    ...sourceOptions.kubeconfig,
    group: 'On a real cluster:',
    meaning: 'instead of a local cluster: run the functions here for the cluster that FILE leads to',
  },
  context: {
    ...sourceOptions.context,
    group: 'On a real cluster:',
    meaning: 'of the kubeconfig, if not its current one',
  },
} as const satisfies ToldOptions;

export interface RunOptions {
  source: Source;
  /** Undefined when nothing was said about it. */
  targets: MachineName[] | undefined;
  serve: boolean;
  /** Functions of DeletionHooks that run elsewhere. */
  hooks: HookFunction[];
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
    targets: targetsOf(values),
    serve: values.serve ?? false,
    hooks: (values.hook ?? []).map(parseHookFunction),
    timeoutSeconds: timeoutOf(values.timeout, source),
    json: isJson(values.output),
    // A cluster may have hundreds of Machines that end.
    timeline: values.timeline ?? source.kind !== 'cluster',
    mode: readMode(values.mode, source),
  };
}

function targetsOf({
  delete: names,
  namespace,
}: Pick<ValuesOf<typeof optionsOfRun>, 'delete' | 'namespace'>) {
  const within = namespaceOf({ namespace });
  if (within !== undefined && names === undefined) throw new UsageError('--namespace needs --delete');
  return names?.map((name) => parseMachineName(name, within));
}

const localTimeoutSeconds = 120;

function timeoutOf(text: string | undefined, { kind }: Source): number | undefined {
  return text === undefined && kind !== 'cluster' ? localTimeoutSeconds : secondsOf(text);
}

/** Watching the Machine API's own controller, beside it, or in its place. Throws UsageError. */
function readMode(mode: Mode | undefined, source: Source): Mode | undefined {
  if (mode === undefined || mode === 'replace') return mode;
  if (mode === 'beside' && source.kind === 'example' && !hasBeside(examples[source.name].api))
    throw new UsageError(
      `--mode beside is for Machines of Cluster API and OpenShift: the example ${source.name} has none`,
    );
  if (source.kind === 'manifests' && source.workloads !== undefined)
    throw new UsageError(
      `--mode ${mode} takes no --load-workload: the controller of Cluster API that is played sees Nodes of its own cluster only`,
    );
  return mode;
}
