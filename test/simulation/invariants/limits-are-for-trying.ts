import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { conditionIn, conditionsOf } from '../../stories/stage/told-machine.ts';
import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { whyHeldBack } from './sight/held-back.ts';
import { type Case, judgingCheckpoints } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { hooksAt, infrastructureRef, machineIn, placeReferred } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import type { Effect } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

/** The reason that the status gives while a phase is tried. */
const reasons: Readonly<Record<string, string>> = {
  DrainingNode: 'drain',
  WaitingForVolumeDetach: 'volume-detach',
  DeletingNode: 'node',
};

const limits = { ...limitsOfSteps, node: 'node' } as const;
const phases = [...limitedSteps, 'node'] as const;

/**
 * A start that is a little early needs no write to correct it: this much of the limit may go. That is a part of the
 * limit at the first try, or a minute without one. A later limit counts from the same start.
 */
const givenAway = (limitMilliseconds: number): number =>
  limitMilliseconds > 0 ? Math.max(1_000, limitMilliseconds * 0.1) : 60_000;

/** Times in the status are whole seconds. */
const roundingMilliseconds = 1_000;

/** From when a try begins until it is seen here a look asks for other things, one after the other. */
const maxStepsOfALook = 20;
/** Where these strike, that takes longer: the look waits for a request without an answer. */
const slowing = /^(slow-api|paused-instance|timeout|workload-unreachable|management-unreachable)/;
const slowMilliseconds = 30_000;

/**
 * What keeps a phase from being tried, a hook for one, takes none of its time. In Cluster API a step that was never
 * begun has no start, and never times out.
 */
export const limitsAreForTrying: Invariant = {
  name: 'a time limit counts from when its phase was first tried',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const tried = whenTried(witness);
    let lookMilliseconds = scenario.world.latencyMilliseconds * maxStepsOfALook;
    const judge = judgingCheckpoints(
      witness,
      ({ plan, machine, before, newlyPassed }, { actor }) => {
        const { uid = '' } = machine.metadata;
        for (const phase of phases) {
          const how = newlyPassed.get(phase);
          if (how === 'done')
            tried.note({ actor, plan, machine }, phase, before?.phase === phase ? before.since : world.now());
          if (how !== 'timed-out') continue;
          const first = tried.first(uid, phase);
          if (first === undefined) return `${phase} has timed out, and nobody has tried it`;
          const age = world.now() - first.at + lookMilliseconds + first.givenAway;
          const isOver = witness.wasSoLately(
            actor,
            [machineRead(plan)],
            (view) => age + roundingMilliseconds >= limitIn(view, { plan, machine }, phase),
          );
          if (!isOver && !witness.reads.haveClocksJumped())
            return `${phase} has timed out ${Math.round((world.now() - first.at) / 1_000)} s after it was first tried`;
        }
        return undefined;
      },
      violated,
    );
    return {
      ...judge,
      leaves: (exchange) => tried.leaves(exchange),
      hit(fault) {
        if (slowing.test(fault)) lookMilliseconds = slowMilliseconds;
      },
    };
  },
};

type Limited = keyof typeof limits;

const isLimited = (phase: string): phase is Limited => phase in limits;

/** In milliseconds. */
const limitIn = (view: View, { plan, machine }: Pick<Case, 'plan' | 'machine'>, phase: Limited): number =>
  limitOf(machineIn(view, plan) ?? machine, limits[phase]) * 1_000;

/** When a phase was first tried, and how much of its time may have gone by then. */
interface First {
  at: number;
  givenAway: number;
}

/** When each phase was first seen to be tried, or to have been passed as done. */
function whenTried(witness: Witness) {
  const first = new Map<string, First>();
  /** By any limit that the trying instance may see. */
  const maxGivenAway = (of: Case, phase: Limited): number => {
    let most = 0;
    witness.wasSoLately(of.actor, [machineRead(of.plan)], (view) => {
      most = Math.max(most, givenAway(limitIn(view, of, phase)));
      return false;
    });
    return most;
  };
  const note = (of: Case, phase: string, at: number): void => {
    const key = `${of.machine.metadata.uid} ${phase}`;
    if (isLimited(phase) && at < (first.get(key)?.at ?? Infinity))
      first.set(key, { at, givenAway: maxGivenAway(of, phase) });
  };
  return {
    note,
    first: (uid: string, phase: string) => first.get(`${uid} ${phase}`),
    leaves(exchange: Exchange): void {
      if (!exchange.instance.startsWith('instance')) return;
      const failed = failedIn(exchange, witness);
      if (failed !== undefined) return note(failed.of, failed.phase, witness.world.now());
      const plan = planOf(exchange, witness);
      const machine = plan && witness.lastOf(plan);
      if (plan === undefined || machine === undefined) return;
      if (isOfNode(exchange) && isHeld(machine, witness)) return;
      const said = isOfStatus(exchange) ? saidIn(exchange, machine) : standOf(machine)?.phase;
      const phase = said ?? 'drain';
      const actor = { instance: exchange.instance, machineUid: machine.metadata.uid ?? '' };
      const mayBeTold = phase === 'node' || isDecided(witness, { actor, exchange }, machine);
      if (mayBeTold) note({ actor, plan, machine }, phase, witness.world.now());
    },
  };
}

/** The Events by which Cluster API tells of a try that has failed. */
const failures: Readonly<Record<string, Limited>> = {
  FailedDrainNode: 'drain',
  FailedWaitForVolumeDetach: 'volume-detach',
};

function failedIn(
  { instance, verb, resource, body }: Exchange,
  witness: Witness,
): { of: Case; phase: Limited } | undefined {
  const phase =
    verb === 'create' && resource === 'events' ? failures[textAt(body, 'reason') ?? ''] : undefined;
  const machineUid = textAt(body, 'involvedObject', 'uid') ?? '';
  const plan = witness.machineWithUid(machineUid);
  const machine = plan && witness.lastOf(plan);
  if (phase === undefined || plan === undefined || machine === undefined) return undefined;
  return { of: { actor: { instance, machineUid }, plan, machine }, phase };
}

/** What an instance has seen of the infrastructure may be this old when its step begins. */
const rememberedMilliseconds = 5_000;

/** Whether the actor can know that the phase is due: its infrastructure may be going already. */
function isDecided(
  { reads }: Witness,
  effect: Pick<Effect, 'actor' | 'exchange'>,
  machine: KubeObject,
): boolean {
  const place = placeReferred(machine, infrastructureRef(machine));
  return place.name === '' || reads.isFresh(effect, { host: management, ...place }, rememberedMilliseconds);
}

/** Of requests by which a phase is tried. */
function planOf({ host, verb, resource, namespace, name, query }: Exchange, witness: Witness) {
  const [, node] = /^spec\.nodeName=(.+)$/.exec(query['fieldSelector'] ?? '') ?? [];
  if (resource === 'pods' && verb === 'list' && node !== undefined) return witness.machineOfNode(host, node);
  if (resource === 'nodes' && ['patch', 'get', 'delete'].includes(verb))
    return witness.machineOfNode(host, name);
  if (!isOfStatus({ resource, verb })) return undefined;
  return witness.machineNamed(resource.slice(0, -'/status'.length), namespace, name);
}

const isOfNode = ({ resource, verb }: Exchange): boolean => resource === 'nodes' && verb === 'get';

/** Then a Node is read for what is said of it. */
const isHeld = (machine: KubeObject, { past, world }: Witness): boolean =>
  whyHeldBack(past.present, machine) !== undefined ||
  hooksAt(machine, 'pre-drain', world.config).length + hooksAt(machine, 'pre-terminate').length > 0;

const isOfStatus = ({ resource, verb }: Pick<Exchange, 'resource' | 'verb'>): boolean =>
  resource.startsWith('machines.') && resource.endsWith('/status') && verb === 'patch';

/** The phase that a status tells to be tried; none where it tells of something else. */
function saidIn({ body }: Exchange, { apiVersion }: KubeObject): string {
  const told: KubeObject = { apiVersion: apiVersion ?? '', metadata: { name: '' }, ...recordAt(body) };
  // Beside Cluster API's own controller the condition of our own tells.
  const ours = textAt(conditionIn(conditionsOf(told), 'phaseout.dev/Draining'), 'reason');
  return reasons[ours ?? textAt(conditionIn(conditionsOf(told), 'Deleting'), 'reason') ?? ''] ?? 'none';
}
