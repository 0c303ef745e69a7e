import type { OptionsConfig } from '../../infra/terminal/option.ts';
import { isJson, parseArguments, refuseStray, secondsOf } from '../../infra/terminal/parse-arguments.ts';
import { UsageError } from '../../infra/terminal/usage-error.ts';
import { besideStories } from './stories/beside.ts';
import { stories } from './stories/index.ts';
import type { Story } from './stories/story.ts';
import { type Way, ways } from './ways/way.ts';

const known = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  only: { type: 'string', multiple: true },
  way: { type: 'string', multiple: true },
  beside: { type: 'boolean' },
  'beside-machines': { type: 'boolean' },
  keep: { type: 'boolean' },
  'clean-up': { type: 'boolean' },
  strict: { type: 'boolean' },
  timeout: { type: 'string' },
  parallel: { type: 'string' },
  'audit-log': { type: 'string', multiple: true },
  output: { type: 'string', short: 'o', choices: ['json'] },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionsConfig;

export interface Options {
  kubeconfig: string | undefined;
  context: string | undefined;
  stories: readonly Story[];
  ways: readonly Way[];
  /** The stories of mode beside are told, with Cluster API's own controller or one that is played. */
  beside: boolean;
  /** The cluster has Machines that are somebody else's. */
  besideMachines: boolean;
  keep: boolean;
  /** Takes away what earlier runs have left, and does nothing else. */
  cleanUp: boolean;
  strict: boolean;
  /** Of one story. */
  timeoutSeconds: number;
  parallel: number;
  auditLogs: readonly string[];
  json: boolean;
  help: boolean;
}

const usualTimeoutSeconds = 180;
const usualParallel = 4;

/** Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values, rest } = parseArguments(args, known);
  refuseStray(rest);
  const beside = values.beside ?? false;
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    stories: chosen('--only', values.only, beside ? besideStories : stories, ({ name }) => name),
    ways: chosen('--way', values.way, ways, (name) => name),
    beside,
    besideMachines: values['beside-machines'] ?? false,
    keep: values.keep ?? false,
    cleanUp: values['clean-up'] ?? false,
    strict: values.strict ?? false,
    timeoutSeconds: secondsOf(values.timeout) ?? usualTimeoutSeconds,
    parallel: parallelOf(values.parallel),
    auditLogs: values['audit-log'] ?? [],
    json: isJson(values.output),
    help: values.help ?? false,
  };
}

/** All of them unless some are named; in the order in which they are known. */
function chosen<T>(
  option: string,
  named: readonly string[] | undefined,
  all: readonly T[],
  nameOf: (one: T) => string,
): T[] {
  if (named === undefined) return [...all];
  const wanted = named.flatMap((text) => text.split(','));
  const names = all.map(nameOf);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`${option} ${unknown.join(', ')}: there are ${names.join(', ')}`);
  return all.filter((one) => wanted.includes(nameOf(one)));
}

function parallelOf(text: string | undefined): number {
  if (text === undefined) return usualParallel;
  if (!/^[1-9]\d?$/.test(text))
    throw new UsageError(`--parallel takes a number from 1 to 99, not ${JSON.stringify(text)}`);
  return Number(text);
}

function namesOf(all: readonly Story[]): string {
  return all.map(({ name }) => name).join(', ');
}

export const usage = `npm run test:cluster -- [options]

Tells the project's stories on a real API server, and takes everything away again.

  --kubeconfig FILE, --context NAME   which cluster; otherwise KUBECONFIG
  --only STORY...      ${namesOf(stories)}
  --beside             the stories of mode beside, and no others: ${namesOf(besideStories)}.
                       Cluster API's own controller is the peer where it runs; otherwise it is played
  --way WAY...         run (phaseout run --kubeconfig), manifests (as Knative would run it)
  --beside-machines    the cluster has Machines of somebody else: everything is confined to namespaces of the test
  --audit-log FILE...  the API server's audit log: nothing of ours may have been forbidden
  --parallel N         stories that are told at the same time (${usualParallel})
  --timeout SECONDS    of one story (${usualTimeoutSeconds})
  --strict             a story that cannot be told here is a failure
  --keep               leaves everything there, to be looked at; --clean-up takes it away
  --clean-up           takes away what earlier runs have left, and tells no story
  -o json              one JSON object per line
`;
