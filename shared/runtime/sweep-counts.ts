import type { Advance } from '../announcement.ts';
import { shownReason } from '../dialects/shown-reason.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { DueLook } from '../store/port.ts';
import { dialectOf } from './find-machine.ts';
import type { Environment } from './environment.ts';
import type { Reading } from './metrics.ts';

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
export function countDue({ metrics, clock }: Environment, looks: readonly DueLook[]): void {
  metrics.replace('dueLooks', [{ labels: {}, value: looks.length }]);
  for (const { at } of looks) metrics.observe('dueLag', { by: 'sweep' }, (clock.now() - at) / 1_000);
}

/** How many Machines are being deleted, by where they stand: those that a sweep of everything has a command for. */
export function countDeleting(
  env: Environment,
  found: readonly { raw: KubeObject }[],
  commands: readonly Advance[],
): void {
  const raws = new Map(found.map(({ raw }) => [raw.metadata.uid, raw]));
  const readings = new Map<string, Reading<'machinesDeleting'>>();
  for (const { machine, phase } of commands) {
    const raw = raws.get(machine.uid);
    const reason = raw === undefined ? '' : shownReason(raw, phase);
    const { name } = dialectOf(env, machine);
    const key = `${name}|${phase}|${reason}`;
    const value = (readings.get(key)?.value ?? 0) + 1;
    readings.set(key, { labels: { machine_api: name, phase, reason }, value });
  }
  env.metrics.replace('machinesDeleting', [...readings.values()]);
}
