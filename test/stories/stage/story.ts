import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/access.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isOriginal, machinesIn } from './apis.ts';
import { BesideFleet, type BesideParts } from './beside/fleet.ts';
import { BesideOpenShiftFleet, type BesideOpenShiftParts } from './beside/openshift-fleet.ts';
import { TwoApisFleet, type TwoApisParts } from './beside/two-apis-fleet.ts';
import type { ClusterStage } from './cluster-stage.ts';
import type { Conditions } from './conditions.ts';
import { Fleet, type FleetParts, resources } from './fleet.ts';
import { OpenShiftFleet, type OpenShiftParts } from './openshift.ts';
import { nodeNameOf } from './recorded.ts';
import { newsOf } from './told-machine.ts';
import { OriginalFleet, type OriginalParts } from './v1alpha1.ts';

interface Told<F> {
  /** What there is. Pods have three seconds to start before the plot. */
  scene: (fleet: F) => void;
  /** What happens; resolves when the story is over. */
  plot: (fleet: F) => Promise<void>;
  /** Whether it is played under even more conditions. */
  thorough?: boolean;
}

/** A story on a stage of some kind, and what that is made with. */
export type StoryOf<F, P> = Told<F> & P;

export type Story = StoryOf<Fleet, FleetParts>;

/** Conditions under which every story has to end the same way. */
const otherwise: Record<string, Conditions> = {
  'when all events are lost': { losesEvents: true, wakeUps: false },
  'with the store down and all instances replaced after every event': { storeIsDown: true, restarts: true },
  'with two instances, a slow API and events that overtake one another': {
    instances: 2,
    repeats: 2,
    latencyMilliseconds: 300,
    delayMilliseconds: 4_000,
  },
};

/** And under which some have to: most of what they show is shown by the others. */
const thoroughly: Record<string, Conditions> = {
  'without wake-ups': { wakeUps: false },
};

type Otherwise = [string, Conditions];

const isToldHere = inject('stories') === 'as they are told';

/** Tests beside stories that need no other conditions: the fast project alone plays them. */
export function besideStories(register: () => void): void {
  if (isToldHere) register();
}

export interface Played {
  /** What was told until the plot was over. */
  text: string;
  /** Requests of ours, as `verb resource`, and calls of the provider, with how many there were. */
  requests: Record<string, number>;
  /** What API servers were asked, each once. */
  asked: AuditEntry[];
  /** Lines of the log that ask for attention. */
  warnings: string[];
  end: Record<string, unknown>;
}

/** How the stories of one kind of stage are told and played. */
function storiesOn<F extends ClusterStage, P>(open: (conditions: Conditions, parts: P) => F) {
  /** Plays it to its end, with nothing unsafe on the way and nothing left over after it. */
  const play = (told: StoryOf<F, P>, conditions: Conditions): Promise<Played> =>
    playedOn(open(conditions, told), told);

  const tell = (group: string, title: string, told: StoryOf<F, P>): void =>
    it('is told as it was', async () => {
      const { text } = await play(told, {});
      expect(text).toBe(recorded(group, title, text));
    });

  function tellOtherwise(told: StoryOf<F, P>): void {
    let played: Promise<Played> | undefined;
    const asUsual = (): Promise<Played> => (played ??= play(told, {}));
    const others: Otherwise[] = Object.entries(told.thorough ? { ...otherwise, ...thoroughly } : otherwise);
    it.each(others)('ends the same %s', async (_name, conditions) => {
      const { end } = await play(told, conditions);
      expect(end).toStrictEqual((await asUsual()).end);
    });
  }

  /**
   * Plays a story and compares it with its text. In the thorough project it plays the story under other conditions,
   * which must not change its end.
   */
  function story(group: string, title: string, told: StoryOf<F, P>): void {
    const register = isToldHere ? () => tell(group, title, told) : () => tellOtherwise(told);
    describe(`${group}: ${title}`, () => {
      register();
    });
  }

  return { story, play };
}

/** Stories of Cluster API, of OpenShift and of v1alpha1. */
export const { story, play } = storiesOn((conditions, parts: FleetParts) => new Fleet(conditions, parts));
export const openShift = storiesOn(
  (conditions, parts: OpenShiftParts) => new OpenShiftFleet(conditions, parts),
);
export const besidePeer = storiesOn((conditions, parts: BesideParts) => new BesideFleet(conditions, parts));
export const besideOpenShift = storiesOn(
  (conditions, parts: BesideOpenShiftParts) => new BesideOpenShiftFleet(conditions, parts),
);
export const besideBoth = storiesOn((conditions, parts: TwoApisParts) => new TwoApisFleet(conditions, parts));
export const original = storiesOn((conditions, parts: OriginalParts) => new OriginalFleet(conditions, parts));

async function playedOn<F extends ClusterStage>(fleet: F, { scene, plot }: Told<F>): Promise<Played> {
  try {
    scene(fleet);
    await fleet.seconds(3);
    fleet.begin();
    await plot(fleet);
    const told = { text: fleet.told.text(), requests: countsOf(fleet) };
    await fleet.seconds(60);
    const end = endOf(fleet);
    await leavesNothing(fleet);
    if (fleet.problems.length > 0) throw new Error([...fleet.problems, fleet.told.text()].join('\n'));
    return { ...told, asked: fleet.identities.asked(), warnings: fleet.warnings, end };
  } finally {
    fleet.end();
  }
}

function countsOf({ requests, calls }: ClusterStage): Record<string, number> {
  const counts: Record<string, number> = calls === 0 ? {} : { 'calls of the provider': calls };
  for (const { verb, resource } of requests) {
    const key = `${verb} ${resource}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/**
 * Who still waits writes nothing while nothing changes; who is gone is forgotten. The status of a DeletionHook is counted by a sweep. The last
 * of them may come a minute and a slow answer after the end.
 */
async function leavesNothing(fleet: ClusterStage): Promise<void> {
  await fleet.seconds(10);
  const before = fleet.requests.length;
  await fleet.seconds(60);
  const writes = fleet.requests.slice(before).filter(isWrite);
  if (writes.length > 0) fleet.problems.push(`written again: ${JSON.stringify(writes)}`);
  const looks = await fleet.stored.inner.due(fleet.clock.now() + 3_600_000, 100);
  const uids = new Set(unfinishedMachines(fleet).map(({ metadata }) => metadata.uid));
  const left = looks.filter(({ machine }) => !uids.has(machine.uid));
  if (left.length > 0) fleet.problems.push(`looks left: ${JSON.stringify(left)}`);
}

/**
 * An Event that is there already is refused: an instance without its memory may try to write it once more. A living
 * installation renews its Lease.
 */
const isWrite = ({ verb, resource, code }: ClusterStage['requests'][number]): boolean =>
  ['patch', 'create', 'delete'].includes(verb) &&
  !(verb === 'patch' && resource === 'leases.coordination.k8s.io') &&
  resource !== 'pods/eviction' &&
  !(resource === 'events' && code === 409);

/** Those that are being deleted, and living ones of v1alpha1, whose servers are looked after. */
const unfinishedMachines = (fleet: ClusterStage): KubeObject[] =>
  machinesIn(fleet.server.cluster).filter(
    (machine) => machine.metadata.deletionTimestamp !== undefined || isOriginal(machine),
  );

/** What is there at the end, without times and without what is made up on the way. */
function endOf({ server: { cluster }, provider }: ClusterStage): Record<string, unknown> {
  const served = new Set(cluster.resources());
  const names = (resource: string) =>
    served.has(resource) ? cluster.list(resource).map(({ metadata }) => nameOf(metadata.name)) : [];
  const machines = machinesIn(cluster).map((machine) => [nameOf(machine.metadata.name), stateOf(machine)]);
  const nodes = cluster
    .list('nodes')
    .map((node) => `${nameOf(node.metadata.name)} ${recordAt(node, 'spec')['unschedulable'] === true}`);
  const onNodes = cluster
    .list('pods')
    .filter((pod) => textAt(pod, 'spec', 'nodeName') === nodeNameOf('worker-1'))
    .map(({ metadata }) => `${metadata.name} ${metadata.deletionTimestamp === undefined ? 'stays' : 'goes'}`);
  return {
    machines: Object.fromEntries(machines),
    nodes,
    pods: onNodes,
    infrastructure: names(resources.infrastructure),
    bootstrap: names(resources.bootstrap),
    servers: provider.cloud.servers().map(({ machine, state }) => `${nameOf(machine.name)} ${state}`),
  };
}

/** Names that the API server made up depend on what it was asked before. */
const nameOf = (name: string): string => name.replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}$/, '-<any>');

/** The news without those that are made of times or that differ with what was lost on the way. */
const stateOf = (machine: KubeObject): string =>
  newsOf(machine)
    .filter(([about, text]) => about !== 'checkpoint' && text !== undefined)
    .map(([, text]) => text?.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>'))
    .concat(textAt(machine, 'status', 'phase') ?? [])
    .join('; ');

const folder = new URL('../', import.meta.url).pathname;

/** Where a story stands, below `stories/`. */
export const storyFile = (group: string, title: string): string =>
  path.join(group, `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.txt`);

/** What was told when it was last read. UPDATE_STORIES=1 records what is told now; read the difference before committing it. */
export function recorded(group: string, title: string, text: string): string {
  const file = path.join(folder, storyFile(group, title));
  if (process.env['UPDATE_STORIES'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readFileSync(file, 'utf8');
}
