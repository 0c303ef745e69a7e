import type { Machine } from '../../machine/machine.ts';
import { sortedByBytes } from '../../text/byte-order.ts';
import { isHookOfOurs } from '../beside/hook.ts';
import type { HookPoint } from '../dialect.ts';
import { recordAt } from '../fields.ts';
import { isDrainExcluded, isDrained } from './judgements.ts';
import { type Hook, lifecycleHooks } from './read.ts';

/** The hooks of a point as the spec lists them, whether they hold anything or not. */
export function hookList({ raw }: Machine, point: HookPoint): Hook[] {
  const { preDrain, preTerminate } = lifecycleHooks.parse(recordAt(raw, 'spec')['lifecycleHooks']);
  return point === 'pre-drain' ? preDrain : preTerminate;
}

/**
 * In the place of the API's own controllers, phaseout drains by itself. A hook of its own, left from a time beside them,
 * holds nothing.
 */
export const hooksOfOthers = (machine: Machine, point: HookPoint): string[] =>
  hooks(machine, point).filter((name) => !isHookOfOurs(name, hookOwner(machine, point, name)));

/** Names of the hooks that hold, sorted. Hooks before a drain that there is not, or that is over, hold nothing. */
export const hooks = (machine: Machine, point: HookPoint): string[] =>
  passesHooks(machine, point) ? [] : names(machine, point);

export const bypassedHooks = (machine: Machine, point: HookPoint): string[] =>
  passesHooks(machine, point) ? names(machine, point) : [];

const names = (machine: Machine, point: HookPoint): string[] =>
  sortedByBytes(hookList(machine, point).map(({ name }) => name));

export const passesHooks = (machine: Machine, point: HookPoint): boolean =>
  point === 'pre-drain' && (isDrainExcluded(machine) || machine.nodeName === undefined || isDrained(machine));

export const hookOwner = (machine: Machine, point: HookPoint, name: string): string | undefined =>
  hookList(machine, point).find((hook) => hook.name === name)?.owner || undefined;

const operationOf: Record<HookPoint, string> = { 'pre-drain': 'Drain', 'pre-terminate': 'Terminate' };

/** The sentence of the conditions Drainable and Terminable. */
export const hookMessage = (machine: Machine, point: HookPoint): string =>
  messageOf(hookList(machine, point), point);

/** The same of these hooks. */
export function messageOf(list: readonly Hook[], point: HookPoint): string {
  const each = list.map(({ name, owner }) => `{Name:${name} Owner:${owner}}`);
  return `${operationOf[point]} operation currently blocked by: [${each.join(' ')}]`;
}
