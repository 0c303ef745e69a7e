import type { Machine } from '../../machine/machine.ts';
import { isHookOfOurs } from '../beside/names.ts';
import type { HookPoint } from '../dialect.ts';

/** A hook is any annotation whose key starts like this: a slash is not required, the value is never read. */
const prefixOf: Record<HookPoint, string> = {
  'pre-drain': 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  'pre-terminate': 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
};

/** All hooks of a point, phaseout's own among them, sorted. */
export const hooks = ({ annotations }: Pick<Machine, 'annotations'>, point: HookPoint): string[] =>
  Object.keys(annotations)
    .filter((key) => key.startsWith(prefixOf[point]))
    .toSorted();

/** In place of the API's own controller phaseout drains by itself: a hook of its own, from a time beside it, holds nothing. */
export const hooksOfOthers = (machine: Machine, point: HookPoint): string[] =>
  hooks(machine, point).filter((name) => !isHookOfOurs(name, machine.annotations[name]));

export const hookMessage = (machine: Machine, point: HookPoint): string =>
  `Waiting for ${point} hooks to succeed (hooks: ${hooksOfOthers(machine, point).join(',')})`;

/** The value is for people; by custom it names the owner. */
export const hookOwner = ({ annotations }: Machine, _point: HookPoint, name: string): string | undefined =>
  annotations[name] || undefined;
