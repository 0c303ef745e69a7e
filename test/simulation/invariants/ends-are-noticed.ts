import type { Config } from '../../../shared/runtime/config.ts';
import { isClusterApi, isOpenShift } from '../../stories/stage/apis.ts';
import { isControlPlane } from '../../stories/stage/sights.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { courtOf } from './sight/drain-court.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { bootstrapRef, hooksAt, infrastructureRef, referredBy } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import type { Court } from './sight/pods.ts';
import { watchTrouble } from './sight/trouble.ts';
import { waitsForFunctions } from './sight/turns.ts';
import { volumesThatHold } from './sight/volumes.ts';
import { witnessOf } from './sight/witness.ts';

/** A look takes some requests, and an event while one is under way brings another. */
const lookMilliseconds = 6_000;
const requestsOfLooks = 60;

/** Pods that stand where others were evicted from may come again and again: they are looked at without hurry. */
const unhurriedMilliseconds = 20_000;

/** A waiting instance looks again after twenty seconds. A change of a watched object brings a look at once. */
export const endsAreNoticed: Invariant = {
  name: 'a phase ends soon after what held it is gone, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const { config, latencyMilliseconds } = scenario.world;
    if (!isWatchedFor(config)) return {};
    const witness = witnessOf(world, scenario);
    const trouble = watchTrouble(world);
    /** By UID: when it came to the phase that it is in, which may have begun before. */
    const entered = new Map<string, number>();
    /** UIDs of those that came back to the drain. */
    const drainedAgain = new Set<string>();
    const allowed = (phase: string, uid: string): number => {
      const isUnhurried = phase === 'drain' && drainedAgain.has(uid);
      return (
        lookMilliseconds + requestsOfLooks * latencyMilliseconds + (isUnhurried ? unhurriedMilliseconds : 0)
      );
    };
    const judge = judgingCheckpoints(
      witness,
      ({ plan, machine, before, after, newlyPassed }) => {
        const { uid = '' } = machine.metadata;
        if (after.phase === 'drain' && before?.passed.has('drain') === true) drainedAgain.add(uid);
        const { phase = '', since = 0 } = before ?? {};
        const cameAt = Math.max(since, entered.get(uid) ?? 0);
        entered.set(uid, world.now());
        const held = holds[phase];
        if (trouble.hasBeen() || held === undefined || newlyPassed.get(phase) !== 'done') return undefined;
        const isFree = (view: View): boolean =>
          !held(courtOf(view, { plan, machine }, world.now()), plan, world.config);
        const free = witness.past.beganWhen(isFree, Math.max(cameAt, world.now() - 60_000));
        const late = free === undefined ? 0 : world.now() - free;
        return late > allowed(phase, uid)
          ? `nothing has held ${phase} for ${Math.round(late / 1_000)} s`
          : undefined;
      },
      violated,
    );
    return { ...judge, hit: trouble.hit, stoodStill: trouble.hit };
  },
};

/** A look finds the changes of objects that are not watched, for all Machines and all the time. */
const isWatchedFor = ({ wakeUps, wakeUpsMax, wakeUpSeconds }: Partial<Config>): boolean =>
  [wakeUps, wakeUpsMax, wakeUpSeconds].every((setting) => setting === undefined);

/** OpenShift drains Nodes of the control plane one after the other: such a one may wait for others. */
const isOneOfSeveral = ({ machine, node }: Court): boolean =>
  isOpenShift(machine) && node !== undefined && isControlPlane(node);

/** By phases: whether anything holds it that is watched for. */
const holds: Readonly<Record<string, (court: Court, plan: MachinePlan, config: Config) => boolean>> = {
  'pre-drain': ({ machine }, _plan, config) =>
    hooksAt(machine, 'pre-drain', config).length > 0 || waitsForFunctions(machine, 'pre-drain'),
  drain: (court, plan) => isOneOfSeveral(court) || podsThatMustGo(court, plan).length > 0,
  'volume-detach': (court, _plan, config) => volumesThatHold(court, config).length > 0,
  'pre-terminate': ({ machine }) =>
    hooksAt(machine, 'pre-terminate').length > 0 || waitsForFunctions(machine, 'pre-terminate'),
  // A provider is asked now and then.
  infrastructure: ({ view, machine }) =>
    !isClusterApi(machine) || referredBy(view, machine, infrastructureRef(machine)) !== undefined,
  bootstrap: ({ view, machine }) => referredBy(view, machine, bootstrapRef(machine)) !== undefined,
};
