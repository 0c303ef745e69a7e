import { dialectOf } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Reading } from '../runtime/metrics.ts';
import type { Asked } from './listed.ts';

/** A namespace has few DeletionHooks. With a namespace for each cluster those of most Machines are enough for an alert. */
const maxSeries = 100;

/** How many Machines wait for each DeletionHook that a person should look at. */
export function countHeldUpHooks(env: Environment, asked: readonly Asked[]): void {
  const readings = new Map<string, Reading<'hooksHeldUp'>>();
  for (const { command, turns = [] } of asked) {
    const { namespace } = command.machine;
    const { name } = dialectOf(env, command.machine);
    for (const { name: hook } of turns.filter(({ isHeldUp }) => isHeldUp)) {
      const key = `${name}|${namespace}|${hook}`;
      const value = (readings.get(key)?.value ?? 0) + 1;
      readings.set(key, { labels: { machine_api: name, machine_namespace: namespace, hook }, value });
    }
  }
  const most = [...readings.values()].toSorted((one, other) => other.value - one.value);
  env.metrics.replace('hooksHeldUp', most.slice(0, maxSeries));
}
