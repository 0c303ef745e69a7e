import type { OptionsConfig } from '../../infra/terminal/option.ts';
import { isJson, parseArguments, refuseStray, secondsOf } from '../../infra/terminal/parse-arguments.ts';
import { UsageError } from '../../infra/terminal/usage-error.ts';
import type { Step } from './step.ts';

const known = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  image: { type: 'string' },
  'next-image': { type: 'string' },
  set: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  reinstall: { type: 'boolean' },
  'beside-machines': { type: 'boolean' },
  timeout: { type: 'string' },
  strict: { type: 'boolean' },
  'clean-up': { type: 'boolean' },
  output: { type: 'string', short: 'o', choices: ['json'] },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionsConfig;

export interface Options {
  kubeconfig: string | undefined;
  context: string | undefined;
  /** Undefined where none is needed: help and cleaning up. */
  image: string | undefined;
  nextImage: string | undefined;
  /** Where the store is; a store of its own is brought along where this is empty. */
  set: readonly string[];
  steps: readonly Step[];
  /** Removes a phaseout that is there, with its data, before anything else. */
  reinstall: boolean;
  besideMachines: boolean;
  /** Of one wait. */
  timeoutSeconds: number;
  strict: boolean;
  cleanUp: boolean;
  json: boolean;
  help: boolean;
}

const usualTimeoutSeconds = 600;

/** Throws UsageError. */
export function readOptions(args: readonly string[], steps: readonly Step[]): Options {
  const { values, rest } = parseArguments(args, known);
  refuseStray(rest);
  const cleanUp = values['clean-up'] ?? false;
  const help = values.help ?? false;
  if (values.image === undefined && !cleanUp && !help)
    throw new UsageError('test:install needs --image: one that the cluster can pull');
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    image: values.image,
    nextImage: values['next-image'],
    set: values.set ?? [],
    steps: chosen(values.only, steps),
    reinstall: values.reinstall ?? false,
    besideMachines: values['beside-machines'] ?? false,
    timeoutSeconds: secondsOf(values.timeout) ?? usualTimeoutSeconds,
    strict: values.strict ?? false,
    cleanUp,
    json: isJson(values.output),
    help,
  };
}

/** In the order in which they are played, and with those that every one needs. */
function chosen(named: readonly string[] | undefined, all: readonly Step[]): Step[] {
  if (named === undefined) return [...all];
  const wanted = named.flatMap((text) => text.split(','));
  const unknown = wanted.filter((name) => !all.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new UsageError(`--only ${unknown.join(', ')}: there are ${all.map(({ name }) => name).join(', ')}`);
  return all.filter(({ name, isAlways }) => isAlways === true || wanted.includes(name));
}

export const usageOf = (steps: readonly Step[]): string => `npm run test:install -- --image IMAGE [options]

Installs phaseout on a cluster with Knative as its users do, deletes Machines, upgrades it, and takes everything away again.

  --image IMAGE        of the functions, as the cluster's Nodes can pull it
  --next-image IMAGE   the one to upgrade to; otherwise a variable changes
  --set NAME=VALUE...  where the store is, for each deploy; otherwise it brings DynamoDB Local along
  --kubeconfig FILE, --context NAME   which cluster; otherwise KUBECONFIG
  --only STEP...       ${steps.map(({ name }) => name).join(', ')}
  --reinstall          removes a phaseout that is there, with its data, first
  --beside-machines    the cluster has Machines of others: phaseout is installed for theirs, too
  --timeout SECONDS    of one wait (${usualTimeoutSeconds})
  --strict             a step that cannot be played here is a failure
  --clean-up           takes away what an earlier run has left, phaseout itself apart, and plays nothing
  -o json              one JSON object per line
`;
