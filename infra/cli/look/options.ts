import {
  isJson,
  type OptionsConfig,
  parseArguments,
  refuseStray,
  type ValuesOf,
} from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type MachineName, parseMachineName } from '../machine-name.ts';
import { type Source, sourceOf, sourceOptions } from '../options.ts';
import type { KubeconfigPlace } from './kubeconfig.ts';

const { output, ...management } = sourceOptions;

/** Where a command that only looks may look. */
export const lookOptions = {
  ...management,
  'workload-kubeconfig': { type: 'string', isFile: true },
  'workload-context': { type: 'string' },
  output,
} as const satisfies OptionsConfig;

/** Whose Machines are looked at. */
export const namespaceOption = { namespace: { type: 'string', short: 'n' } } as const satisfies OptionsConfig;

/** Undefined is all. Throws UsageError. */
export function namespaceOf({ namespace }: { namespace?: string }): string | undefined {
  if (namespace === '') throw new UsageError('--namespace takes the name of a namespace');
  return namespace;
}

/** An example fleet, manifests, or a real cluster: without a file it is the one that kubectl would ask. */
export type LookSource =
  | Exclude<Source, { kind: 'cluster' }>
  | ({ kind: 'cluster' } & KubeconfigPlace & {
        /** The way to the Nodes, in place of the kubeconfig Secret of a Cluster. */
        workload?: KubeconfigPlace;
      });

type LookValues = ValuesOf<typeof lookOptions>;

/** Where to look; `otherwise` is what the command looks at where nothing is said. Throws UsageError. */
export function lookSourceOf(values: LookValues, otherwise: 'example' | 'cluster'): LookSource {
  const { 'workload-kubeconfig': file, 'workload-context': there, ...places } = values;
  const { example, load, 'load-workload': loadWorkload, kubeconfig, context } = places;
  const hasWorkload = file !== undefined || there !== undefined;
  const isGiven = example !== undefined || load !== undefined || loadWorkload !== undefined;
  if (hasWorkload && isGiven)
    throw new UsageError(
      '--workload-kubeconfig and --workload-context lead to a real cluster: use --load-workload for a dump of one',
    );
  const isOwn = !isGiven && kubeconfig === undefined;
  const isAsked = context !== undefined || hasWorkload || otherwise === 'cluster';
  const source: Source | KubeconfigPlace = isOwn && isAsked ? { kubeconfig, context } : sourceOf(places);
  if ('kind' in source && source.kind !== 'cluster') return source;
  const workload = { kubeconfig: file ?? kubeconfig, context: there };
  return {
    kind: 'cluster',
    kubeconfig: source.kubeconfig,
    context: source.context,
    ...(hasWorkload && { workload }),
  };
}

/** A look at one Machine. */
export interface LookAtOne {
  source: LookSource;
  machine: MachineName;
  json: boolean;
}

/** The options of a command that looks at one Machine. Throws UsageError. */
export function readLookAtOne(
  args: readonly string[],
  asked: { command: string; otherwise: 'example' | 'cluster' },
): LookAtOne {
  return lookAtOneOf(args, parseArguments(args, lookOptions), asked);
}

/** The same of a command that has more options. Throws UsageError. */
export function lookAtOneOf(
  args: readonly string[],
  { values, rest }: { values: LookValues; rest: string[] },
  { command, otherwise }: { command: string; otherwise: 'example' | 'cluster' },
): LookAtOne {
  const machine = rest.pop() ?? lastListed(args, [values.load, values['load-workload']]);
  if (machine === undefined) throw new UsageError(`${command} needs the NAMESPACE/NAME of a Machine`);
  refuseStray(rest);
  return {
    source: lookSourceOf(values, otherwise),
    machine: parseMachineName(machine),
    json: isJson(values.output),
  };
}

/** After a shell has spread `--load *.yaml NAMESPACE/NAME`, the Machine is the last one of the last list. */
function lastListed(args: readonly string[], lists: readonly (string[] | undefined)[]): string | undefined {
  const place = (list: readonly string[]): number => args.lastIndexOf(list.at(-1) ?? '');
  const [last] = lists
    .filter((list) => list !== undefined)
    .toSorted((one, other) => place(other) - place(one));
  return last !== undefined && last.length > 1 ? last.pop() : undefined;
}
