import type { Fault } from '../../faults/fault.ts';
import { deletedForMove, hasOurHook, releasedBy, withoutOurHook } from '../beside.ts';
import { annotationsOf, isGoing } from '../blockers/case.ts';
import { aMachineOf, deed, later, nameOf, stillThere, type Target } from './deed.ts';

const isHeld = ({ machine }: Target): boolean => hasOurHook(machine);

/** What people do to Machines that phaseout holds. */
export const releases: readonly Fault[] = [
  deed({
    name: 'machine-released',
    about: 'A person releases a Machine by the command, so that phaseout leaves it alone.',
    run(setting) {
      const target = aMachineOf(setting, isHeld);
      if (target === undefined) return undefined;
      const { plan, machine } = target;
      // On one that is being deleted our hook is never put again.
      const marked = { metadata: { annotations: { [releasedBy]: 'true' } } };
      const { management } = setting.world;
      management.patch(plan.resource, machine, withoutOurHook(machine));
      if (!isGoing(machine)) management.patch(plan.resource, machine, marked);
      return `releases the Machine ${nameOf(machine)}`;
    },
  }),
  deed({
    name: 'machine-marked-for-move',
    about: 'A Machine is marked as one that clusterctl moves, and is so no more later.',
    run(setting) {
      const { world, random } = setting;
      const target = aMachineOf(
        setting,
        (one) => one.plan.api === 'capi' && isHeld(one) && !(deletedForMove in annotationsOf(one.machine)),
      );
      if (target === undefined) return undefined;
      const { plan, machine } = target;
      const mark = (value: string | null): void => {
        const found = stillThere(setting, target);
        if (found === undefined) return;
        world.management.patch(plan.resource, found, {
          metadata: { annotations: { [deletedForMove]: value } },
        });
      };
      mark('');
      later(setting, random.between(500, 30_000), () => mark(null));
      return `marks the Machine ${nameOf(machine)} as one that is moved`;
    },
  }),
];
