import type { Mode } from '../../../shared/dialects/registry.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { readExample } from '../../local/examples/read-example.ts';
import { type Alone, playPeerAlone } from '../../local/platform/peer-alone.ts';
import { readManifests } from '../../terminal/manifests.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import { type Fleet, labelOf, type Target } from '../fleet.ts';
import type { RunOptions, Source } from '../options.ts';
import { ownVariables } from '../own-variables.ts';

type Variables = Outside['env'];

/** The variables of the functions: what the command line says goes first. Throws ConfigInvalid. */
export function variablesFor(
  { source, mode }: Pick<RunOptions, 'source' | 'mode'>,
  env: Variables,
): Variables {
  const own = ownVariables(env);
  const known: Mode | undefined = mode ?? (source.kind === 'cluster' ? undefined : modeIn(own));
  if (known === undefined || (mode === undefined && isWatching(own))) return own;
  return { ...own, PHASEOUT_MODE: known === 'observe' ? known : `capi:${known}` };
}

/** Whether phaseout works beside the controller of Cluster API. */
export const isBeside = (variables: Variables): boolean => modeIn(variables) === 'beside';

/** Whether the Machine API's own controller goes on: beside phaseout, or watched by it. */
export const hasOwnController = (variables: Variables): boolean =>
  isBeside(variables) || isWatching(variables);

const isWatching = (variables: Variables): boolean => Object.values(modesIn(variables)).includes('observe');

const modesIn = ({ PHASEOUT_MODE }: Variables) =>
  readConfig(PHASEOUT_MODE === undefined ? {} : { PHASEOUT_MODE }).mode;

const modeIn = (variables: Variables): Mode => modesIn(variables).capi ?? 'replace';

/** Throws UsageError where nothing there is of Cluster API. */
export function mustHaveClusterApi(
  { machineApis }: Pick<Fleet, 'machineApis'>,
  mode: Mode | undefined,
): void {
  if (mode !== 'beside' || machineApis.some(({ dialect }) => dialect.beside !== undefined)) return;
  throw new UsageError('--mode beside is for Machines of Cluster API, and there are none of its kind there');
}

/** How the peer alone takes one Machine away, in a play without phaseout. */
export interface Comparison extends Omit<Alone, 'machine'> {
  /** As it is shown. */
  machine: string;
}

/** Plays the same deletions by the peer alone. */
export async function comparedWithPeer(
  fleet: Fleet,
  source: Source,
  targets: readonly Target[],
  { clock, random }: Pick<Outside, 'clock' | 'random'>,
): Promise<Comparison[]> {
  const machines = targets.filter(({ api }) => api.dialect.beside !== undefined);
  if (source.kind === 'cluster' || machines.length === 0) return [];
  const manifests =
    source.kind === 'example' ? await readExample(source.name) : await readManifests(source.paths);
  const played = await playPeerAlone({ manifests, machines, start: clock.now(), random });
  return played.map(({ seconds, passes }, index) => {
    const target = machines[index];
    return { machine: target === undefined ? '' : labelOf(fleet, target), seconds, passes };
  });
}

/** For people. */
export function comparisonLines(comparisons: readonly Comparison[]): string[] {
  if (comparisons.length === 0) return [];
  return [
    '',
    "Cluster API's controller alone, without phaseout (simulated, and without MachineDrainRules):",
    ...comparisons.map(({ machine, seconds, passes }) => `  ${machine} ${outcome(seconds, passes)}`),
  ];
}

function outcome(seconds: number | undefined, passes: number): string {
  const waits = counted(passes, 'wait');
  return seconds === undefined
    ? `is there after 4 hours, ${waits} of 20 s`
    : `is gone after ${seconds.toFixed(1)} s, ${waits} of 20 s`;
}
