import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/capi/fields.ts';
import type { Conditions } from './conditions.ts';
import { Fleet, type FleetParts, nodeNameOf, resources } from './fleet.ts';
import { conditionsOf } from './told.ts';

export interface Story extends FleetParts {
  /** What there is. Pods have three seconds to start before the plot. */
  scene(fleet: Fleet): void;
  /** What happens; resolves when the story is over. */
  plot(fleet: Fleet): Promise<void>;
  /** The conditions under which the end is another one, for the reason that the story gives. */
  except?: readonly (keyof typeof otherwise)[];
}

/** Conditions under which every story has to end the same way. */
const otherwise = {
  'when all events are lost': { losesEvents: true, wakeUps: false },
  'when every event comes three times': { repeats: 3 },
  'when events overtake one another': { repeats: 2, delayMilliseconds: 4_000, instances: 2 },
  'without wake-ups': { wakeUps: false },
  'when all instances are replaced after every event': { restarts: true },
  'with the store down': { storeIsDown: true },
  'with the store down and all instances replaced after every event': { storeIsDown: true, restarts: true },
  'with two instances and a slow API': { instances: 2, repeats: 2, latencyMilliseconds: 300 },
} satisfies Record<string, Conditions>;

type Otherwise = [string, Conditions];

/** Tells a story, compares it with its text, and plays it again under every other condition. */
export function story(group: string, title: string, told: Story): void {
  describe(title, () => {
    let played: Promise<Played> | undefined;
    const asUsual = (): Promise<Played> => (played ??= play(told, {}));
    it('is told as it was', async () => {
      const { text } = await asUsual();
      compare(group, title, text);
    });
    const others: Otherwise[] = Object.entries(otherwise).filter(
      ([name]) => !(told.except as readonly string[] | undefined)?.includes(name),
    );
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
    expect(fleet.problems, `${fleet.problems.join('\n')}\n${fleet.told.text()}`).toStrictEqual([]);
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
  const text = fleet.told.text();
  const before = fleet.requests.length;
  await fleet.seconds(60);
  const writes = fleet.requests
    .slice(before)
    .filter(
      ({ verb, resource }) => ['patch', 'create', 'delete'].includes(verb) && resource !== 'pods/eviction',
    );
  expect(writes, text).toStrictEqual([]);
  const looks = await fleet.stored.inner.due(fleet.clock.now() + 3_600_000, 100);
  const uids = new Set(deletingMachines(fleet).map(({ metadata }) => metadata.uid));
  expect(
    looks.filter(({ machine }) => !uids.has(machine.uid)),
    text,
  ).toStrictEqual([]);
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
    .map((node) => `${node.metadata.name} ${String(recordAt(node, 'spec')['unschedulable'] ?? false)}`);
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

/** UPDATE_STORIES=1 writes what is told now; read the difference before committing it. */
export function compare(group: string, title: string, text: string): void {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const file = path.join(folder, group, `${slug}.txt`);
  if (process.env['UPDATE_STORIES'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}
