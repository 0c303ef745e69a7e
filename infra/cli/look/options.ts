import type { ToldOptions } from '../../terminal/option.ts';
import type { Form } from '../../terminal/output.ts';
import { refuseStray, type ValuesOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type TypedName, typedMachineName } from '../machine-name.ts';
import { namespaceOf, type Source, sourceOf, sourceOptions } from '../source.ts';
import type { KubeconfigPlace } from './kubeconfig.ts';

const { kubeconfig: ofKubeconfig, context: ofContext, ...given } = sourceOptions;
const { group } = ofKubeconfig;

/** Where a command that only looks may look. */
export const placeOptions = {
  kubeconfig: ofKubeconfig,
  context: ofContext,
  'workload-kubeconfig': {
    type: 'string',
    value: 'FILE',
    isFile: true,
    group,
    meaning: 'look at Nodes and Pods through it, where you may not read the Secret <cluster>-kubeconfig',
  },
  'workload-context': {
    type: 'string',
    value: 'NAME',
    names: 'contexts',
    group,
    meaning: 'the same through this context, of that kubeconfig or of the one above',
  },
  ...given,
} as const satisfies ToldOptions;

/** Whose Machines are looked at. */
export const namespaceOption = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    names: 'namespaces',
    meaning: 'only the Machines of this namespace',
  },
} as const satisfies ToldOptions;

/** The namespace of the one Machine that is looked at. */
export const namespaceOfOne = {
  namespace: {
    ...namespaceOption.namespace,
    meaning: 'of a Machine that is named by NAME alone (default: that of the context, as for kubectl)',
  },
} as const satisfies ToldOptions;

/** An example fleet, manifests, or a real cluster: without a file it is the one that kubectl would ask. */
export type LookSource =
  | Exclude<Source, { kind: 'cluster' }>
  | ({ kind: 'cluster' } & KubeconfigPlace & {
        /** The way to the Nodes, in place of the kubeconfig Secret of a Cluster. */
        workload?: KubeconfigPlace;
      });

type LookValues = ValuesOf<typeof placeOptions>;

/** Where to look: at the cluster of the current context where nothing is said. Throws UsageError. */
export function lookSourceOf(values: LookValues): LookSource {
  const { 'workload-kubeconfig': file, 'workload-context': there, ...places } = values;
  const { example, load, 'load-workload': loadWorkload, kubeconfig, context } = places;
  const hasWorkload = file !== undefined || there !== undefined;
  const isGiven = example !== undefined || load !== undefined || loadWorkload !== undefined;
  if (hasWorkload && isGiven)
    throw new UsageError(
      '--workload-kubeconfig and --workload-context lead to a real cluster: use --load-workload for a dump of one',
    );
  const isOwn = !isGiven && kubeconfig === undefined;
  const source: Source | KubeconfigPlace = isOwn ? { kubeconfig, context } : sourceOf(places);
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
  machine: TypedName;
  form: Form;
}

/** What a command that looks at one Machine was asked for. Throws UsageError. */
export function lookAtOneOf(
  args: readonly string[],
  { values, rest }: { values: LookValues & { namespace?: string; output?: Form }; rest: string[] },
  command: string,
): LookAtOne {
  const machine = rest.pop() ?? lastListed(args, values);
  if (machine === undefined) throw new UsageError(`${command} needs the NAMESPACE/NAME of a Machine`);
  refuseStray(rest);
  return {
    source: lookSourceOf(values),
    machine: typedMachineName(machine, namespaceOf(values)),
    form: values.output ?? 'text',
  };
}

/** After a shell has spread `--load *.yaml NAMESPACE/NAME`, the Machine is the last one of the last list. */
export function lastListed(
  args: readonly string[],
  { load, 'load-workload': workloads }: Pick<LookValues, 'load' | 'load-workload'>,
): string | undefined {
  const place = (list: readonly string[]): number => args.lastIndexOf(list.at(-1) ?? '');
  const [last] = [load, workloads]
    .filter((list) => list !== undefined)
    .toSorted((one, other) => place(other) - place(one));
  return last !== undefined && last.length > 1 ? last.pop() : undefined;
}
