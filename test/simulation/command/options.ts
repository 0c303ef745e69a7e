import { parseArgs } from 'node:util';
import type { Beside } from '../scenario/draw/beside.ts';
import { type SweepName, sweepNames } from '../sweeps/sweep.ts';

export interface Options {
  /** Plays this seed alone, and tells its story. */
  seed: number | undefined;
  /** How many seeds are played. */
  seeds: number;
  /** The first of them. */
  from: number;
  /** Names of the faults that may strike; all of them if it is not given. */
  only: readonly string[] | undefined;
  without: readonly string[];
  /** In which worlds the APIs' own controllers take part. */
  beside: Beside;
  /** Each world has Deployments, and DrainPolicies that may act on Pods that are not let go. */
  deployments: boolean;
  jobs: number;
  /** Ends after so many seeds that violate something. */
  most: number;
  /** Plays stories again and again, with one thing that goes wrong in each. */
  sweeps: readonly SweepName[] | undefined;
  /** The only one that is swept. */
  story: string | undefined;
  /** Prints what happens when this goes wrong, counted from 1; when nothing does, for 0. */
  at: number | undefined;
  list: boolean;
  help: boolean;
}

/** What a seed is played with. */
export type ReplayOptions = Pick<Options, 'only' | 'without'> &
  Partial<Pick<Options, 'beside' | 'deployments'>>;

/** What was asked for cannot be understood. */
export class UsageError extends Error {}

export const usage = `npm run simulate -- [options]

  --seed N         play this seed alone and tell its story
  --seeds N        play so many seeds, on all cores (1000)
  --from N         begin with this seed (1)
  --only A,B       let only these faults strike, and in every seed
  --without A,B    let these faults not strike
  --beside         have the APIs' own controllers take part in every seed, and phaseout work beside them
  --without-beside have them take part in none
  --observe        have them take part in every seed, and phaseout only watch them
  --deployments    have Deployments in every seed, and DrainPolicies that may restart them or delete Pods
  --jobs N         play so many seeds at a time (as many as there are cores)
  --most N         end after so many seeds that violate something (5)
  --sweep KIND     play every story once for each thing that can go wrong: crash, events, stale, refuse or all;
                   --seeds N adds the scenarios of so many seeds (0)
  --story NAME     sweep this one alone
  --at N           tell of its run in which the Nth thing goes wrong; of the one as it is for 0
  --list           name all faults and all that must always be so
`;

const names = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  from: { type: 'string' },
  only: { type: 'string' },
  without: { type: 'string' },
  beside: { type: 'boolean' },
  'without-beside': { type: 'boolean' },
  observe: { type: 'boolean' },
  deployments: { type: 'boolean' },
  jobs: { type: 'string' },
  most: { type: 'string' },
  sweep: { type: 'string' },
  story: { type: 'string' },
  at: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** `faults`: the names that there are. Throws UsageError. */
export function readOptions(args: readonly string[], cores: number, faults: readonly string[]): Options {
  const values = parsed(args);
  const sweeps = sweepsNamed(values.sweep);
  refuseMisplaced(values, sweeps !== undefined);
  const [usualSeeds, minSeeds] = sweeps === undefined ? (['1000', 1] as const) : (['0', 0] as const);
  const known = (list: string | undefined): string[] | undefined => knownNames(list, faults);
  return {
    seed: values.seed === undefined ? undefined : whole('seed', values.seed, 0),
    seeds: whole('seeds', values.seeds ?? usualSeeds, minSeeds),
    from: whole('from', values.from ?? '1', 0),
    only: known(values.only),
    without: known(values.without) ?? [],
    beside: besideWished(values),
    deployments: values.deployments === true,
    jobs: whole('jobs', values.jobs ?? String(cores), 1),
    most: whole('most', values.most ?? '5', 1),
    sweeps,
    story: values.story,
    at: values.at === undefined ? undefined : whole('at', values.at, 0),
    list: values.list === true,
    help: values.help === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: names, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const ofSweeps = ['story', 'at'] as const;
const ofSeeds = [
  ...(['seed', 'from', 'only', 'without', 'most'] as const),
  ...(['beside', 'without-beside', 'observe', 'deployments'] as const),
] as const;
const ofManySeeds = ['seeds', 'from', 'jobs', 'most'] as const;

/** An option that would be passed over in silence. */
function refuseMisplaced(values: ReturnType<typeof parsed>, isSweep: boolean): void {
  const misplaced = (isSweep ? ofSeeds : ofSweeps).find((name) => values[name] !== undefined);
  if (misplaced !== undefined)
    throw new UsageError(`--${misplaced} is ${isSweep ? 'not ' : ''}for a --sweep`);
  const ofMany =
    values.seed === undefined ? undefined : ofManySeeds.find((name) => values[name] !== undefined);
  if (ofMany !== undefined) throw new UsageError(`--${ofMany} is not for a --seed`);
}

const wishOf = { beside: 'all', 'without-beside': 'none', observe: 'observe', some: 'some' } as const;
const wishes = ['beside', 'without-beside', 'observe'] as const;

function besideWished(values: ReturnType<typeof parsed>): Beside {
  const [first = 'some', second] = wishes.filter((name) => values[name] === true);
  if (second !== undefined) throw new UsageError(`--${first} is not for --${second}`);
  return wishOf[first];
}

function whole(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(
    `--${option}: a whole number from ${least} on is expected, not ${JSON.stringify(text)}`,
  );
}

function sweepsNamed(name: string | undefined): readonly SweepName[] | undefined {
  if (name === undefined) return undefined;
  if (name === 'all') return sweepNames;
  const found = sweepNames.filter((each) => each === name);
  if (found.length > 0) return found;
  throw new UsageError(`--sweep: ${sweepNames.join(', ')} or all is expected, not ${JSON.stringify(name)}`);
}

function knownNames(list: string | undefined, faults: readonly string[]): string[] | undefined {
  const given = list?.split(',').map((name) => name.trim());
  const unknown = given?.find((name) => !faults.includes(name));
  if (unknown === undefined) return given;
  throw new UsageError(`there is no fault ${JSON.stringify(unknown)}; --list names those that there are`);
}
