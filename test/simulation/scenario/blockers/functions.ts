import { type Asked, askedOn, isPending } from '../../../../shared/hooks/asked.ts';
import type { HookPlace } from '../../../../shared/machine/hook-call.ts';
import { isHeldForEver, titleOfHook } from '../../platform/functions/played.ts';
import { annotationsOf, anyOf, type Case, type Obstacle } from './case.ts';

const placeOf: Readonly<Record<string, HookPlace>> = {
  'pre-drain': 'PreDrain',
  'pre-terminate': 'PreTerminate',
};

/** The turns that go on, where the deletion stands. By the Machine's own word, as its phase. */
export function turnsOf({ machine, plan, phase = '' }: Pick<Case, 'machine' | 'plan' | 'phase'>): Asked[] {
  const { namespace, name } = plan;
  const { uid = '' } = machine.metadata;
  const ref = { apiVersion: machine.apiVersion ?? '', namespace, name, uid };
  return askedOn({ annotations: annotationsOf(machine), ref }).filter(
    (asked) => asked.place === placeOf[phase] && isPending(asked),
  );
}

/** A function that is asked, and is never done. */
export function functionObstacle(about: Case): Obstacle | undefined {
  if (about.isPeers) return undefined;
  const { namespace } = about.plan;
  const never = about.world.functions.hooks.filter(isHeldForEver).map(titleOfHook);
  const pending = turnsOf(about);
  const lowest = Math.min(...pending.map(({ order }) => order));
  const names = pending
    .filter(({ order, name }) => order === lowest && never.includes(titleOfHook({ namespace, name })))
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  const what = `the function of DeletionHook ${names.join(', ')} that is never done`;
  return { kind: 'function', what, says: anyOf(names) };
}
