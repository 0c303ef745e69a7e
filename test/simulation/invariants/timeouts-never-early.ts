import { textAt } from '../../../shared/dialects/fields.ts';
import { deletionTimeOf } from '../../stories/stage/told-machine.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { standOf, writtenStand } from './sight/checkpoint.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { machineIn } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import type { Transition } from './sight/transition.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const limits = { ...limitsOfSteps, node: 'node' } as const;
type Phase = keyof typeof limits;
const phases: readonly Phase[] = [...limitedSteps, 'node'];

const starts: Readonly<Record<string, string>> = {
  drain: 'nodeDrainStartTime',
  'volume-detach': 'waitForNodeVolumeDetachStartTime',
};

const limitText = (seconds: number): string =>
  seconds > 0 ? ` of its ${seconds} s` : ', and has no time limit';

/** Times in the status are whole seconds. */
const roundingMilliseconds = 1_000;

export const timeoutsNeverEarly: Invariant = {
  name: 'no time limit ends a phase before its time',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { reads } = witness;
    const entered = whenEntered(witness);
    const judge = judgingCheckpoints(
      witness,
      (transition, effect) => {
        const { machine, after, newlyPassed } = transition;
        const { uid = '' } = machine.metadata;
        entered.note(uid, after.phase);
        for (const phase of phases) {
          if (newlyPassed.get(phase) !== 'timed-out') continue;
          const { own, real } = elapsed(effect, transition, phase, entered.at(uid, phase));
          const isOver = (limit: number): boolean =>
            limit < 0 ||
            (limit > 0 && own >= limit && (reads.haveClocksJumped() || real + roundingMilliseconds >= limit));
          if (!wasLimitLately(effect, transition, phase, isOver))
            return `${phase} has timed out after ${Math.round(real / 1_000)} s${limitText(limitOf(machine, limits[phase]))}`;
        }
        return undefined;
      },
      violated,
    );
    return {
      ...judge,
      after(exchange, answer) {
        if (answer.code < 300) entered.arrived(exchange);
        judge.after?.(exchange, answer);
      },
    };

    /** By the instance's clock, from where the checkpoint says that it began; and really, from where it was seen to. */
    function elapsed(
      { actor }: Effect,
      { machine, before }: Transition,
      phase: Phase,
      seen: number | undefined,
    ) {
      const told = Date.parse(deletionTimeOf(machine, starts[phase] ?? '') ?? '');
      const earlier = Number.isNaN(told) ? Infinity : told;
      const began = seen ?? before?.since ?? world.now();
      const since = before?.phase === phase ? before.since : began;
      // Nothing of a deletion began before it was asked for, whatever a clock said that was behind.
      const deleted = Date.parse(machine.metadata.deletionTimestamp ?? '');
      const own = Math.max(...reads.presentsOf(actor.instance)) - Math.max(deleted, Math.min(since, earlier));
      return { own, real: world.now() - Math.min(began, earlier) };
    }

    function wasLimitLately(
      { actor }: Effect,
      { plan, machine }: Transition,
      phase: Phase,
      isOver: (milliseconds: number) => boolean,
    ): boolean {
      return witness.wasSoLately(actor, [machineRead(plan)], (view) =>
        isOver(limitOf(machineIn(view, plan) ?? machine, limits[phase]) * 1_000),
      );
    }
  },
};

/**
 * When each phase was first seen to begin, or to be over. A repeated phase goes on from its first start. A late request
 * began when it was sent, even if its sender stood still or gave it up.
 */
function whenEntered({ world, machines, reads }: Witness) {
  const entered = new Map<string, number>();
  const note = (uid: string, phase: string): void => {
    const key = `${uid} ${phase}`;
    if (!entered.has(key)) entered.set(key, world.now());
  };
  for (const resource of new Set(machines.map((machine) => machine.resource)))
    world.management.watch(resource, ({ object }) => {
      const { uid = '' } = object.metadata;
      const stand = standOf(object);
      for (const phase of [stand?.phase ?? '', ...(stand?.passed.keys() ?? [])]) note(uid, phase);
    });
  return {
    note,
    arrived(exchange: Exchange): void {
      const uid = textAt(exchange.body, 'metadata', 'uid') ?? '';
      const stand = writtenStand(exchange, { metadata: { name: exchange.name, uid } });
      if (stand === undefined || stand === 'unusable') return;
      const key = `${uid} ${stand.phase}`;
      if ((entered.get(key) ?? world.now()) === world.now()) entered.set(key, reads.leftAt(exchange));
    },
    at: (uid: string, phase: string) => entered.get(`${uid} ${phase}`),
  };
}
