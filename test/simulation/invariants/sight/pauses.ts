import type { MachinePlan } from '../../scenario/model.ts';
import { whyHeldBack } from './held-back.ts';
import { keyOf, machineIn } from './machine.ts';
import type { Witness } from './witness.ts';

/** A time in which nothing may be done to a Machine. */
interface Pause {
  from: number;
  /** Infinity while it lasts. */
  until: number;
}

/** The pauses of each Machine since a moment. */
export type PausesOf = (plan: MachinePlan, since: number) => readonly Pause[];

const resources = ['clusters.cluster.x-k8s.io', 'clusters.cluster.k8s.io'];

/** Notes each pause from now on. */
export function watchPauses({ world, past, machines }: Witness): PausesOf {
  const all = new Map<string, Pause[]>();
  const note = (): void => {
    for (const plan of machines) {
      const machine = machineIn(past.present, plan);
      const isPaused = machine !== undefined && whyHeldBack(past.present, machine) !== undefined;
      const known = all.get(keyOf(plan)) ?? [];
      const last = known.at(-1);
      const wasPaused = last?.until === Infinity;
      if (isPaused === wasPaused) continue;
      if (wasPaused) last.until = world.now();
      else all.set(keyOf(plan), [...known, { from: world.now(), until: Infinity }]);
    }
  };
  for (const resource of new Set([...resources, ...machines.map((plan) => plan.resource)]))
    world.management.watch(resource, note);
  note();
  return (plan, since) => (all.get(keyOf(plan)) ?? []).filter(({ until }) => until > since);
}
