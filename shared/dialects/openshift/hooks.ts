import type { Machine } from '../../machine/machine.ts';
import { sortedByBytes } from '../../text/byte-order.ts';
import type { HookPoint } from '../dialect.ts';
import { recordAt } from '../fields.ts';
import { isDrainExcluded } from './drain-gate.ts';
import { isDrained } from './drained.ts';
import { type Hook, lifecycleHooks } from './schemas.ts';

/** The hooks of a point as the spec lists them, whether they hold anything or not. */
export function hookList({ raw }: Machine, point: HookPoint): Hook[] {
  const { preDrain, preTerminate } = lifecycleHooks.parse(recordAt(raw, 'spec')['lifecycleHooks']);
  return point === 'pre-drain' ? preDrain : preTerminate;
}

/** Names of the hooks that hold, sorted. Hooks before a drain that there is not, or that is over, hold nothing. */
export const hooks = (machine: Machine, point: HookPoint): string[] =>
  isBypassed(machine, point) ? [] : names(machine, point);

export const bypassedHooks = (machine: Machine, point: HookPoint): string[] =>
  isBypassed(machine, point) ? names(machine, point) : [];

const names = (machine: Machine, point: HookPoint): string[] =>
  sortedByBytes(hookList(machine, point).map(({ name }) => name));

const isBypassed = (machine: Machine, point: HookPoint): boolean =>
  point === 'pre-drain' && (isDrainExcluded(machine) || machine.nodeName === undefined || isDrained(machine));

export const hookOwner = (machine: Machine, point: HookPoint, name: string): string | undefined =>
  hookList(machine, point).find((hook) => hook.name === name)?.owner || undefined;

const operationOf: Record<HookPoint, string> = { 'pre-drain': 'Drain', 'pre-terminate': 'Terminate' };

/** The sentence of the conditions Drainable and Terminable. */
export function hookMessage(machine: Machine, point: HookPoint): string {
  const each = hookList(machine, point).map(({ name, owner }) => `{Name:${name} Owner:${owner}}`);
  return `${operationOf[point]} operation currently blocked by: [${each.join(' ')}]`;
}
