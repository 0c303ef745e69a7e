import { actionsByWord } from '../../../shared/blocked/entry.ts';
import {
  groupOf,
  type MachineApiName,
  type Mode,
  machineApiNames,
} from '../../../shared/dialects/registry.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { readExample } from '../../local/examples/read-example.ts';
import { type Alone, playPeerAlone } from '../../local/platform/peer-alone.ts';
import { readManifests } from '../../terminal/manifests.ts';
import { type Outside, ownVariables } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import { type Fleet, labelOf, type Target } from '../fleet.ts';
import type { RunOptions } from '../options.ts';
import type { Source } from '../source.ts';

type Variables = Outside['env'];

/** The variables of the functions: what the command line says goes first. Throws ConfigInvalid. */
export function variablesFor(
  { source, mode }: Pick<RunOptions, 'source' | 'mode'>,
  env: Variables,
): Variables {
  const own = ownVariables(env);
  if (source.kind === 'cluster') return mode === undefined ? own : { ...own, PHASEOUT_MODE: mode };
  // In a cluster that is played nothing can be lost: what a policy asks for is granted.
  return {
    PHASEOUT_ACTIONS: Object.keys(actionsByWord).join(','),
    PHASEOUT_MODE: 'replace',
    ...own,
    ...(mode !== undefined && { PHASEOUT_MODE: mode }),
  };
}

/** The Machine APIs whose own controllers go on: beside phaseout, or watched by it. */
export function goingOnIn({ PHASEOUT_MODE }: Variables): MachineApiName[] {
  const { mode } = readConfig(PHASEOUT_MODE === undefined ? {} : { PHASEOUT_MODE });
  return machineApiNames.filter((name) => mode[name] === 'beside' || mode[name] === 'observe');
}

/** Throws UsageError where nothing there is of an API that has this mode. */
export function mustHaveBeside({ machineApis }: Pick<Fleet, 'machineApis'>, mode: Mode | undefined): void {
  if (mode !== 'beside' || machineApis.some(({ dialect }) => dialect.beside !== undefined)) return;
  throw new UsageError(
    '--mode beside is for Machines of Cluster API and OpenShift, and there are none of their kinds there',
  );
}

/** How the peer alone takes one Machine away, in a play without phaseout. */
export interface Comparison extends Omit<Alone, 'machine'> {
  /** As it is shown. */
  machine: string;
  api: string;
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
  const named = machines.map(({ namespace, name, api }) => ({ namespace, name, group: api.dialect.group }));
  const played = await playPeerAlone({ manifests, machines: named, start: clock.now(), random });
  return played.map(({ seconds, passes }, index) => {
    const target = machines[index];
    const machine = target === undefined ? '' : labelOf(fleet, target);
    return { machine, api: target?.api.dialect.group ?? '', seconds, passes };
  });
}

/** For people. */
export function comparisonLines(comparisons: readonly Comparison[]): string[] {
  return peers.flatMap(({ group, heading, waits }) => {
    const own = comparisons.filter(({ api }) => api === group);
    if (own.length === 0) return [];
    return [
      '',
      `${heading} alone, without phaseout (simulated, and without MachineDrainRules):`,
      ...own.map(
        ({ machine, seconds, passes }) =>
          `  ${machine} ${outcome(seconds, counted(passes, waits[0], waits[1]))}`,
      ),
    ];
  });
}

const peers = [
  { group: groupOf('capi'), heading: "Cluster API's controller", waits: ['wait of 20 s', 'waits of 20 s'] },
  {
    group: groupOf('openshift'),
    heading: "OpenShift's controllers",
    waits: ['drain of 20 s in vain', 'drains of 20 s in vain'],
  },
] as const;

function outcome(seconds: number | undefined, waits: string): string {
  return seconds === undefined
    ? `is there after 4 hours, ${waits}`
    : `is gone after ${seconds.toFixed(1)} s, ${waits}`;
}
