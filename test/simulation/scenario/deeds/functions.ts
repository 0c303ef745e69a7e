import { askedOn, hooksAnnotation, serializeAsked, withPassed } from '../../../../shared/hooks/asked.ts';
import type { Fault } from '../../faults/fault.ts';
import { titleOfHook } from '../../platform/functions/played.ts';
import type { World } from '../../world.ts';
import { annotationsOf, caseOf } from '../blockers/case.ts';
import { turnsOf } from '../blockers/functions.ts';
import { deletionHooks } from '../build/deletion-hooks.ts';
import type { MachinePlan } from '../model.ts';
import { aMachineOf, deed, nameOf, oneOf } from './deed.ts';

/** A person lets a Machine go on without a function, as the command line does. */
export function passHook(world: World, { resource, namespace, name }: MachinePlan, hook: string): void {
  const machine = world.management.get(resource, namespace, name);
  if (machine === undefined) return;
  const { uid = '' } = machine.metadata;
  const ref = { apiVersion: machine.apiVersion ?? '', namespace, name, uid };
  const at = new Date(world.now()).toISOString();
  const passed = withPassed(askedOn({ annotations: annotationsOf(machine), ref }), hook, {
    by: 'kim',
    why: 'it takes too long',
    at,
  });
  if (passed === undefined) return;
  world.functions.pass(titleOfHook({ namespace, name: hook }), uid);
  const annotations = { [hooksAnnotation]: serializeAsked(uid, passed) };
  world.management.patch(resource, machine, { metadata: { annotations } });
}

const passes: Fault = deed({
  name: 'function-passed',
  about: 'A person lets a Machine go on without the function that it waits for.',
  run(setting) {
    const { world, random } = setting;
    const turns = (plan: MachinePlan): string[] => {
      const about = caseOf(world, plan);
      return about === undefined ? [] : turnsOf(about).map(({ name }) => name);
    };
    const target = aMachineOf(setting, ({ plan }) => turns(plan).length > 0);
    const hook = target && oneOf(random, turns(target.plan));
    if (target === undefined || hook === undefined) return undefined;
    passHook(world, target.plan, hook);
    return `lets the Machine ${nameOf(target.machine)} go on without DeletionHook ${hook}`;
  },
});

const removed: Fault = deed({
  name: 'deletion-hook-removed',
  about: 'A DeletionHook is deleted, in mid-turn for some Machines.',
  most: 1,
  run({ world, random }) {
    const found = oneOf(random, world.management.list(deletionHooks));
    if (found === undefined) return undefined;
    world.management.remove(deletionHooks, found);
    return `deletes the DeletionHook ${nameOf(found)}`;
  },
});

/** Where there are none, all other chance stays as it is. */
const whereFunctionsAre = (fault: Fault): Fault => ({
  ...fault,
  strike: (setting) => (setting.world.functions.hooks.length === 0 ? undefined : fault.strike(setting)),
});

/** What people do about DeletionHooks. */
export const functionDeeds: readonly Fault[] = [passes, removed].map(whereFunctionsAre);
