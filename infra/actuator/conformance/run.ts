import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { hasFailed, type Outcome, outcomeOf, type Result, Unmet } from '../../conformance/outcome.ts';
import type { Bench, Check } from './check.ts';
import { create, creation } from './checks/creation.ts';
import { deletion } from './checks/deletion.ts';
import { identity } from './checks/identity.ts';
import { overall, protocol, reachable } from './checks/protocol.ts';
import { unknownMachines } from './checks/unknown.ts';
import type { Client } from './client.ts';
import { createMachines } from './machines.ts';
import { apis, type Template } from './templates.ts';
import { removeUntilGone } from './verbs.ts';

interface RunOptions {
  client: Client;
  /** One for each Machine API that is checked; at least one. */
  templates: readonly [Template, ...Template[]];
  clock: Clock;
  /** How long a server may take to come or to go. */
  deadlineSeconds: number;
  uuid: () => string;
  /** Aborted when somebody wants the run to end: no further check is begun, but what was made is removed. */
  interrupted: AbortSignal;
  /** Told as each check is over. */
  onResult: (result: Result) => void;
}

const ofMachines: readonly Check[] = [...unknownMachines, ...creation, ...identity, ...deletion];

/** Runs every check against a provider; nothing it made is left behind if the provider lets it. */
export async function runConformance(options: RunOptions): Promise<Result[]> {
  const results: Result[] = [];
  const tell: Tell = (section, name, outcome) => {
    results.push({ section, name, outcome });
    options.onResult({ section, name, outcome });
  };
  const telling = { ...options, tell };
  const [first] = options.templates;
  await runAll(telling, 'HTTP', [reachable], first);
  if (results.some(hasFailed)) return results;

  await runAll(telling, 'HTTP', protocol, first);
  for (const template of options.templates) {
    const checks = ofMachines.filter(({ onlyFor = template.api }) => onlyFor === template.api);
    await runAll(telling, apis[template.api], checks, template);
  }
  for (const { name, judge } of overall) tell('all answers', name, judge(options.client.exchanges));
  if (!options.interrupted.aborted) tell('all answers', 'there was a server to look at', anyServer(results));
  return results;
}

type Tell = (section: string, name: string, outcome: Outcome) => void;

async function runAll(
  options: RunOptions & { tell: Tell },
  section: string,
  checks: readonly Check[],
  template: Template,
): Promise<void> {
  const { interrupted, deadlineSeconds, tell } = options;
  const bench = benchFor(options, template);
  try {
    for (const check of checks) {
      if (interrupted.aborted) break;
      tell(section, check.name, await outcomeOf(() => check.run(bench)));
    }
  } finally {
    const left = await cleanUp({ ...bench, deadlineSeconds });
    if (left !== undefined) tell(section, 'what was created is removed in the end', left);
  }
}

function benchFor(options: RunOptions, template: Template): Bench {
  const { client, clock, deadlineSeconds, uuid } = options;
  return { client, clock, deadlineSeconds, machines: createMachines(template, uuid), server: undefined };
}

/** A provider that refuses everything keeps to the contract, and has shown nothing. */
function anyServer(results: readonly Result[]): Outcome {
  const creations = results.filter(({ name }) => name === create.name);
  if (creations.some(({ outcome }) => outcome.kind !== 'skipped')) return { kind: 'passed' };
  return {
    kind: 'failed',
    expected: 'a server for a Machine of --machine',
    answered: 'refusals of our examples',
  };
}

/** Removes whatever servers are left, whether checks failed or not. Undefined when there was none. */
async function cleanUp(bench: Bench): Promise<Outcome | undefined> {
  const machines = bench.machines.remembered();
  if (machines.length === 0) return undefined;
  const left = await Promise.all(machines.map((machine) => whatIsLeft(bench, machine)));
  const answered = left.filter((each) => each !== undefined);
  if (answered.length === 0) return { kind: 'passed' };
  return { kind: 'failed', expected: 'no server to be left', answered: answered.join('; ') };
}

async function whatIsLeft(bench: Bench, machine: KubeObject): Promise<string | undefined> {
  try {
    await removeUntilGone(bench, machine);
    return undefined;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const { namespace = '', name, uid = '' } = machine.metadata;
    return `Machine ${namespace}/${name} (${uid}): ${error.answered}`;
  }
}
