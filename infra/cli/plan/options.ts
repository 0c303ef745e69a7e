import type { MachineSelection } from '../../../shared/explain/fleet/selection.ts';
import { SelectorSyntaxError, selectorOf } from '../../../shared/kubernetes/selector-text.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import { type Form, listOutput } from '../../terminal/output.ts';
import { parseArguments, refuseStray, type ValuesOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import {
  type LookAtOne,
  type LookSource,
  lookAtOneOf,
  lookSourceOf,
  namespaceOfOne,
  placeOptions,
} from '../look/options.ts';
import { namespaceOf } from '../source.ts';

const group = 'Many Machines, each judged alone, now (all that are said must be met):';

/** What says which Machines are planned. */
const selectionOptions = {
  all: { type: 'boolean', group, meaning: 'all Machines, or with -n all of that namespace' },
  selector: {
    type: 'string',
    short: 'l',
    value: 'SELECTOR',
    group,
    meaning: 'those with these labels: pool=a,zone!=b',
  },
  cluster: {
    type: 'string',
    value: 'NAME',
    group,
    meaning: 'those of this Cluster, as NAME or NAMESPACE/NAME',
  },
  'machine-deployment': { type: 'string', value: 'NAME', group, meaning: 'those of this MachineDeployment' },
  'machine-set': { type: 'string', value: 'NAME', group, meaning: 'those of this MachineSet' },
} as const satisfies ToldOptions;

export const planOptions = {
  namespace: {
    ...namespaceOfOne.namespace,
    meaning:
      'of a Machine that is named by NAME alone (default: that of the context, as for kubectl), or of many Machines',
  },
  output: {
    ...listOutput.output,
    meaning: 'json or yaml: the plan as data; wide: of many Machines all of them, with what holds each',
  },
  'exit-code': {
    type: 'boolean',
    meaning: 'end as a plan of many does: 4 where it is held or waits, 5 where something was not read',
  },
  ...selectionOptions,
  ...placeOptions,
} as const satisfies ToldOptions;

/** What `phaseout plan` was asked for. */
export type PlanAsked =
  | ({ kind: 'one'; hasExitCode: boolean } & LookAtOne)
  | { kind: 'many'; source: LookSource; selection: MachineSelection; form: Form };

/** Throws UsageError. */
export function readPlanOptions(args: readonly string[]): PlanAsked {
  const { values, rest } = parseArguments(args, planOptions);
  if (!isOfMany(values)) {
    const { output, ...others } = values;
    if (output === 'wide') throw new UsageError('-o wide is for a plan of many Machines, as of --all');
    const one = { ...others, ...(output !== undefined && { output }) };
    return {
      kind: 'one',
      hasExitCode: values['exit-code'] ?? false,
      ...lookAtOneOf(args, { values: one, rest }, 'plan'),
    };
  }
  refuseStray(rest);
  return {
    kind: 'many',
    source: lookSourceOf(values),
    selection: selectionOf(values),
    form: values.output ?? 'text',
  };
}

type PlanValues = ValuesOf<typeof planOptions>;

const isOfMany = (values: PlanValues): boolean =>
  values.all === true || Object.keys(selectionOptions).some((name) => name !== 'all' && name in values);

function selectionOf(values: PlanValues): MachineSelection {
  const { all = false, selector, cluster, 'machine-deployment': deployment, 'machine-set': set } = values;
  const narrowing = { selector, cluster, 'machine-deployment': deployment, 'machine-set': set };
  for (const [name, value] of Object.entries(narrowing)) {
    if (value === '') throw new UsageError(`--${name} takes a value`);
    if (all && value !== undefined) throw new UsageError(`--all and --${name} exclude each other`);
  }
  if (selector !== undefined) checkSelector(selector);
  const namespace = namespaceOf(values);
  return {
    ...(namespace !== undefined && { namespace }),
    ...(selector !== undefined && { labelSelector: selector }),
    ...(cluster !== undefined && { cluster }),
    ...(deployment !== undefined && { machineDeployment: deployment }),
    ...(set !== undefined && { machineSet: set }),
  };
}

function checkSelector(text: string): void {
  try {
    selectorOf(text);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw new UsageError(`--selector: ${error.message}`);
    throw error;
  }
}
