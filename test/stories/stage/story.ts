import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Conditions } from './conditions.ts';
import { Fleet, type FleetParts, resources } from './fleet.ts';
import { nodeNameOf } from './recorded.ts';
import { conditionsOf } from './told-machine.ts';

export interface Story extends FleetParts {
  /** What there is. Pods have three seconds to start before the plot. */
  scene: (fleet: Fleet) => void;
  /** What happens; resolves when the story is over. */
  plot: (fleet: Fleet) => Promise<void>;
  /** Whether it is played under even more conditions. */
  thorough?: boolean;
}

/** Conditions under which every story has to end the same way. */
const otherwise: Record<string, Conditions> = {
  'when all events are lost': { losesEvents: true, wakeUps: false },
  'when every event comes three times': { repeats: 3 },
  'when all instances are replaced after every event': { restarts: true },
  'with the store down': { storeIsDown: true },
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
  'with the store down and all instances replaced after every event': { storeIsDown: true, restarts: true },
};

type Otherwise = [string, Conditions];

/** Tells a story, compares it with its text, and plays it again under every other condition. */
export function story(group: string, title: string, told: Story): void {
  describe(`${group}: ${title}`, () => {
    let played: Promise<Played> | undefined;
    const asUsual = (): Promise<Played> => (played ??= play(told, {}));
    it('is told as it was', async () => {
      const { text } = await asUsual();
      expect(text).toBe(recorded(group, title, text));
    });
    const others: Otherwise[] = Object.entries(told.thorough ? { ...otherwise, ...thoroughly } : otherwise);
    it.each(others)('ends the same %s', async (_name, conditions) => {
      const { end } = await play(told, conditions);
      expect(end).toStrictEqual((await asUsual()).end);
    });
  });
}

export interface Played {
  /** What was told until the plot was over. */
  text: string;
  /** Requests of ours, as `verb resource`, with how many there were. */
  requests: Record<string, number>;
  end: Record<string, unknown>;
}

/** Plays it to its end, with nothing unsafe on the way and nothing left over after it. */
export async function play({ scene, plot, ...parts }: Story, conditions: Conditions): Promise<Played> {
  const fleet = new Fleet(conditions, parts);
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
    return { ...told, end };
  } finally {
    fleet.end();
  }
}

function countsOf({ requests }: Fleet): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verb, resource } of requests) {
    const key = `${verb} ${resource}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Who still waits writes nothing while nothing changes; who is gone is forgotten. */
async function leavesNothing(fleet: Fleet): Promise<void> {
  const before = fleet.requests.length;
  await fleet.seconds(60);
  const writes = fleet.requests
    .slice(before)
    .filter(
      ({ verb, resource }) => ['patch', 'create', 'delete'].includes(verb) && resource !== 'pods/eviction',
    );
  if (writes.length > 0) fleet.problems.push(`written again: ${JSON.stringify(writes)}`);
  const looks = await fleet.stored.inner.due(fleet.clock.now() + 3_600_000, 100);
  const uids = new Set(deletingMachines(fleet).map(({ metadata }) => metadata.uid));
  const left = looks.filter(({ machine }) => !uids.has(machine.uid));
  if (left.length > 0) fleet.problems.push(`looks left: ${JSON.stringify(left)}`);
}

const deletingMachines = (fleet: Fleet): KubeObject[] =>
  fleet.server.cluster
    .list(resources.machines)
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined);

/** What is there at the end, without times and without what is made up on the way. */
function endOf({ server: { cluster } }: Fleet): Record<string, unknown> {
  const names = (resource: string) => cluster.list(resource).map(({ metadata }) => metadata.name);
  const machines = cluster
    .list(resources.machines)
    .map((machine) => [machine.metadata.name, stateOf(machine)]);
  const nodes = cluster
    .list('nodes')
    .map((node) => `${node.metadata.name} ${recordAt(node, 'spec')['unschedulable'] === true}`);
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
  };
}

function stateOf(machine: KubeObject): string {
  const deleting = conditionsOf(machine).find((condition) => textAt(condition, 'type') === 'Deleting');
  const message = textAt(deleting, 'message')?.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>') ?? '';
  return `${textAt(machine, 'status', 'phase')} ${textAt(deleting, 'reason')} ${message}`;
}

const folder = new URL('../', import.meta.url).pathname;

/** What was told when it was last read. UPDATE_STORIES=1 records what is told now; read the difference before committing it. */
export function recorded(group: string, title: string, text: string): string {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const file = path.join(folder, group, `${slug}.txt`);
  if (process.env['UPDATE_STORIES'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readFileSync(file, 'utf8');
}
