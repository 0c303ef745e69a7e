import { expect, test } from 'vitest';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import { readOr, Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';
import { createRandom, type Random } from '../../simulation/random.ts';

const server = 'servers/default/m-1';
const node = 'nodes/node-1';
const cluster = 'clusters/default/c';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a';
const holds = ['cluster.x-k8s.io/paused', preDrain, 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a'];
const reads: readonly (readonly [side: 'management' | 'workload', call: string])[] = [
  ['management', `get ${cluster}`],
  ['management', 'list machines'],
  ['management', `get ${server}`],
  ['workload', `get ${node}`],
  ['workload', 'list nodes'],
  ['workload', 'list pods'],
  ['workload', 'list volumeattachments'],
];

interface Drawn {
  world: World;
  /** Why its server must not go, whatever one instance does. */
  against: string[];
  /** Reads that fail; none once it is emptied. */
  failing: Set<string>;
}

/** Nothing excludes or ends the drain, nor the wait for volumes, and what was passed was passed a while ago. */
function draw(random: Random): Drawn {
  const held = random.some(holds, 0.1);
  const isNamed = random.chance(0.7);
  const isPaused = random.chance(0.1);
  const annotations = {
    ...drawCheckpoint(random.fork('checkpoint')),
    ...Object.fromEntries(held.map((key) => [key, ''])),
  };
  const world = aWorld(aRawMachine({ annotations, status: isNamed ? {} : { nodeRef: undefined } }));
  world.time.now = after(random.oneOf([20, 70, 700]));
  if (isPaused) world.management.change(cluster, { spec: { paused: true } });
  const inUse = drawNode(world, random.fork('Node'));
  // Such hooks hold nothing where there is no Node.
  const isTouched = isNamed || world.workload.at(node) !== undefined;
  const holding = held.filter((key) => key !== preDrain || isTouched);
  const failing = new Set(random.chance(0.5) ? [] : random.some(reads, 0.3).map(([, call]) => call));
  return { world, against: [...holding, ...(isPaused ? [cluster] : []), ...inUse], failing };
}

function drawCheckpoint(random: Random): Record<string, string> {
  const phases = ['pre-drain', 'drain', 'volume-detach', 'pre-terminate', 'infrastructure'] as const;
  if (random.chance(0.3)) return {};
  const phase = random.oneOf(phases);
  const before = phases.slice(1, Math.min(3, phases.indexOf(phase)));
  const passed = Object.fromEntries(
    before.map((each) => [each, { as: 'done', since: timeAfter(1) } as const]),
  );
  return atCheckpoint(aCheckpoint({ phase, since: timeAfter(2), node: 'node-uid-1', passed }));
}

/** What is on it. */
function drawNode({ workload }: World, random: Random): string[] {
  const volumesAttached = random.chance(0.4) ? ['kubernetes.io/csi/d^1'] : [];
  const pods = random.chance(0.4) ? [pod('ns/a')] : [];
  workload.put('nodes', aNode({ unschedulable: random.chance(0.6), volumesAttached }));
  for (const each of pods) workload.put('pods', { ...each, spec: { nodeName: 'node-1' } });
  if (random.chance(0.9)) return [...volumesAttached, ...pods.map(({ metadata }) => metadata.name)];
  workload.drop(node);
  return [];
}

function failReads({ world, failing }: Drawn): void {
  const failAt = (call: string) => (): void => {
    if (failing.has(call)) throw new Unavailable('no answer');
  };
  for (const [side, call] of reads) world[side].on(call, failAt(call), Infinity);
}

/** From one phase to the next, until one waits. */
async function walk({ env, management }: Pick<World, 'env' | 'management'>): Promise<void> {
  const raw = management.at(machinePath);
  let command: Advance | undefined = raw && (await intakeEvent(env, raw));
  while (command !== undefined)
    ({ next: command } = await reconcilePhase(env, phaseFunctions[command.phase], command));
}

/** Nothing holds the Machine any more, and its Node is empty. */
function letGo({ world: { management, workload }, failing }: Drawn): void {
  failing.clear();
  const annotations = Object.fromEntries(holds.map((key) => [key, null]));
  if (management.at(machinePath) !== undefined) management.change(machinePath, { metadata: { annotations } });
  management.change(cluster, { spec: { paused: false } });
  workload.drop('pods/ns/a');
  if (workload.at(node) !== undefined) workload.change(node, { status: { volumesAttached: [] } });
}

/** Looks again whenever that is due. How many seconds it takes until the Machine is gone. */
async function secondsToEnd({ env, management, time }: World): Promise<number> {
  const began = time.now;
  for (let look = 0; look < 20 && management.at(machinePath) !== undefined; look += 1) {
    const [due] = await env.store.due(time.now + 600_000, 1);
    time.now = Math.max(time.now + 1_000, due?.at ?? Infinity);
    if (management.at(server)?.metadata.deletionTimestamp !== undefined) management.drop(server);
    await walk({ env, management });
  }
  return management.at(machinePath) === undefined ? (time.now - began) / 1_000 : Infinity;
}

async function wrongWith(seed: number): Promise<string[]> {
  const drawn = draw(createRandom(seed));
  const { world, against, failing } = drawn;
  failReads(drawn);
  await readOr(undefined, () => walk(world));
  const isGoing = world.log.includes(`delete ${server}`);
  const wrong = isGoing && against.length > 0 ? [`the server goes in spite of ${against.join(', ')}`] : [];
  if (failing.size === 0 && !isGoing && against.length === 0) wrong.push('the server stays');
  letGo(drawn);
  const seconds = await secondsToEnd(world);
  if (seconds > 180) wrong.push(`it ends after ${seconds} s`);
  return wrong;
}

test.each([0, 100, 200, 300, 400])(
  'from wherever a deletion stands no server goes with what is on its Node, and all end: from seed %i',
  async (first) => {
    const wrong = [];
    for (let seed = first; seed < first + 100; seed += 1)
      for (const what of await wrongWith(seed)) wrong.push(`seed ${seed}: ${what}`);
    expect(wrong).toEqual([]);
  },
);
