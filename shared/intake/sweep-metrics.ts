import { ownerReason } from '../dialects/own-node-condition.ts';
import { dialectOf } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Reading } from '../runtime/metrics.ts';
import type { Requeue } from '../store/port.ts';
import { countHeldUpHooks } from './held-up-hooks.ts';
import type { Asked } from './listed.ts';

/** Counts a sweep and the time it takes. */
export async function countingSweep<T>(
  { metrics, clock }: Pick<Environment, 'metrics' | 'clock'>,
  sweep: 'due' | 'all',
  run: () => Promise<T>,
): Promise<T> {
  const age = clock.stopwatch();
  let outcome = 'failed';
  try {
    const result = await run();
    outcome = 'done';
    return result;
  } finally {
    metrics.count('sweeps', { sweep, outcome });
    metrics.observe('sweepSeconds', { sweep }, age() / 1_000);
  }
}

/** How much was due, and since when. */
export function countDue({ metrics, clock }: Environment, looks: readonly Requeue[]): void {
  metrics.replace('dueLooks', [{ labels: {}, value: looks.length }]);
  for (const { at } of looks) metrics.observe('dueLag', { by: 'sweep' }, (clock.now() - at) / 1_000);
}

/** How many Machines are being deleted, by where they stand: those that a sweep of everything has a command for. */
export function countDeleting(env: Environment, asked: readonly Asked[]): void {
  const readings = new Map<string, Reading<'machinesDeleting'>>();
  for (const { command, reason } of asked) {
    const { machine, phase } = command;
    const { name } = dialectOf(env, machine);
    const key = `${name}|${phase}|${reason}`;
    const value = (readings.get(key)?.value ?? 0) + 1;
    readings.set(key, { labels: { machine_api: name, phase, reason }, value });
  }
  env.metrics.replace('machinesDeleting', [...readings.values()]);
  countHeld(env, asked);
  countHeldUpHooks(env, asked);
}

/** In the place of its controller a Machine is not held by another server's Node: that is left alone. */
function countHeld(env: Environment, asked: readonly Asked[]): void {
  const held = asked.flatMap(({ command, notOwn }) => {
    const { name, beside } = dialectOf(env, command.machine);
    const isHeld = notOwn === ownerReason.unknown || (notOwn === ownerReason.another && beside !== undefined);
    return isHeld ? [{ machine_api: name, reason: notOwn }] : [];
  });
  const counts = Map.groupBy(held, (labels) => `${labels.machine_api}|${labels.reason}`);
  const readings = [...counts.values()].flatMap((alike) =>
    alike.slice(0, 1).map((labels) => ({ labels, value: alike.length })),
  );
  env.metrics.replace('machinesHeld', readings);
}
