import { dialectOf } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Since } from '../runtime/metrics.ts';
import type { Asked } from './listed.ts';

type Oldest = Since<'oldestDeletion'>;

/** An alert asks for the oldest: with a namespace for each cluster the others would only be many series. */
const maxSeries = 100;

/** Tells since when the oldest deletions are under way, by Machine API, namespace and the reason that they show. */
export function showOldest(env: Environment, asked: readonly Asked[], isWhole: boolean): void {
  const oldest = new Map<string, Oldest>();
  for (const { command, reason, deletedAt: since } of asked) {
    if (since === undefined) continue;
    const { namespace } = command.machine;
    const { name } = dialectOf(env, command.machine);
    const key = `${name}|${namespace}|${reason}`;
    if (since >= (oldest.get(key)?.since ?? Infinity)) continue;
    oldest.set(key, { labels: { machine_api: name, machine_namespace: namespace, reason }, since });
  }
  const shown = [...oldest.values()].toSorted((a, b) => a.since - b.since).slice(0, maxSeries);
  env.metrics.showAges('oldestDeletion', shown, isWhole);
}
