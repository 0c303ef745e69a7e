import { parseArgs } from 'node:util';
import { UsageError } from '../../simulation/command/options.ts';
import type { Plane } from './constants.ts';
import { mends } from './mends.ts';
import { type Scenario, sizes } from './pods.ts';
import type { Setting } from './setting.ts';

/** What is deleted. */
type Deleted = Pick<Setting, 'scenario' | 'machines' | 'pods'>;

export interface Options extends Omit<Setting, keyof Deleted | 'instances'> {
  /** Each of them is played with each number of instances. */
  deleted: readonly Deleted[];
  instances: readonly number[];
  output: 'table' | 'json';
  help: boolean;
}

export const usage = `npm run bench:scale -- [options]

  --machines N,N   delete so many Machines at once, in a run each (1,10,50,200)
  --pods N         with so many Pods on each Node (20)
  --scenario S,S   those that were measured, in their place: a (30 Pods), b (30 Pods in three orders), c (ten Pods, a budget of one)
  --instances N,N  with so many instances, in a run each (1)
  --mode MODE      beside Cluster API's own controller, or to replace it (beside)
  --plane PLANE    where phaseout runs: on Knative's data plane (knative), or all in one process (process)
  --without M,M    without what phaseout does against load: claims, passing, turns
  --slow-lists     with an etcd that makes lists slow
  --slowness N     on a computer where all takes so many times as long (1)
  --seed N         of all that comes by chance (1)
  -o FORM          table or json (table)
`;

const names = {
  machines: { type: 'string' },
  pods: { type: 'string' },
  scenario: { type: 'string' },
  instances: { type: 'string' },
  mode: { type: 'string' },
  plane: { type: 'string' },
  'slow-lists': { type: 'boolean' },
  without: { type: 'string' },
  slowness: { type: 'string' },
  seed: { type: 'string' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean' },
} as const;

/** Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const values = parsed(args);
  const instances = numbers('instances', values.instances ?? '1');
  const plane = oneOf<Plane>('plane', values.plane ?? 'knative', ['knative', 'process']);
  if (plane === 'process' && instances.some((each) => each > 1))
    throw new UsageError('--instances: one process has one');
  return {
    deleted: deletedBy(values),
    instances,
    mode: oneOf('mode', values.mode ?? 'beside', ['beside', 'replace'] as const),
    plane,
    slowLists: values['slow-lists'] === true,
    without: (values.without ?? '')
      .split(',')
      .filter(Boolean)
      .map((mend) => oneOf('without', mend, mends)),
    slowness: number('slowness', values.slowness ?? '1'),
    seed: whole('seed', values.seed ?? '1', 0),
    output: oneOf('output', values.output ?? 'table', ['table', 'json'] as const),
    help: values.help === true,
  };
}

/** Named scenarios have sizes of their own. */
function deletedBy({ scenario, machines, pods }: ReturnType<typeof parsed>): Deleted[] {
  if (scenario === undefined) {
    const each = whole('pods', pods ?? '20', 0);
    return numbers('machines', machines ?? '1,10,50,200').map((count) => ({
      scenario: 'fleet',
      machines: count,
      pods: each,
    }));
  }
  if (machines !== undefined || pods !== undefined)
    throw new UsageError('--scenario: it says how many Machines and Pods; leave out --machines and --pods');
  return scenario
    .split(',')
    .map((name) => oneOf('scenario', name.trim(), named))
    .map((name) => ({ scenario: name, ...sizes[name] }));
}

const named: readonly Exclude<Scenario, 'fleet'>[] = ['a', 'b', 'c'];

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: names, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const numbers = (option: string, list: string): number[] =>
  list.split(',').map((text) => whole(option, text.trim(), 1));

function whole(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(
    `--${option}: a whole number from ${least} on is expected, not ${JSON.stringify(text)}`,
  );
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new UsageError(`--${option}: a number above 0 is expected, not ${JSON.stringify(text)}`);
}

function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option}: ${known.join(' or ')} is expected, not ${JSON.stringify(text)}`);
}
