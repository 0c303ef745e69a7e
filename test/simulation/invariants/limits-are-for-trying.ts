import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { conditionIn, conditionsOf } from '../../stories/stage/told-machine.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { whyHeldBack } from './sight/held-back.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { hooksAt, machineIn } from './sight/machine.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

/** The reason that the status gives while a phase is tried. */
const reasons: Readonly<Record<string, string>> = {
  DrainingNode: 'drain',
  WaitingForVolumeDetach: 'volume-detach',
  DeletingNode: 'node',
};

const limits = { ...limitsOfSteps, node: 'node' } as const;
const phases = [...limitedSteps, 'node'] as const;

/** So much of a limit may be given away rather than written down, and times in the status are whole seconds. */
const least = (limitMilliseconds: number): number => limitMilliseconds * 0.9 - 1_000;

/** From when a try begins until it is seen here a look asks for other things, one after the other. */
const mostStepsOfALook = 20;
/** Where these strike, that takes longer: a request that nobody answers is waited for. */
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
    let lookMilliseconds = scenario.world.latencyMilliseconds * mostStepsOfALook;
    const judge = judgingCheckpoints(
      witness,
      ({ plan, machine, before, newlyPassed }, { actor }) => {
        const { uid = '' } = machine.metadata;
        for (const phase of phases) {
          const how = newlyPassed.get(phase);
          if (how === 'done') tried.note(uid, phase, before?.phase === phase ? before.since : world.now());
          if (how !== 'timed-out') continue;
          const at = tried.at(uid, phase);
          if (at === undefined) return `${phase} has timed out, and nobody has tried it`;
          const age = world.now() - at + lookMilliseconds;
          const isOver = witness.wasSoLately(
            actor,
            [machineRead(plan)],
            (view) => age >= least(limitOf(machineIn(view, plan) ?? machine, limits[phase]) * 1_000),
          );
          if (!isOver && !witness.reads.haveClocksJumped())
            return `${phase} has timed out ${Math.round((world.now() - at) / 1_000)} s after it was first tried`;
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

/** When each phase was first seen to be tried, or to have been passed as done. */
function whenTried(witness: Witness) {
  const first = new Map<string, number>();
  const note = (uid: string, phase: string, at: number): void => {
    const key = `${uid} ${phase}`;
    first.set(key, Math.min(first.get(key) ?? Infinity, at));
  };
  return {
    note,
    at: (uid: string, phase: string) => first.get(`${uid} ${phase}`),
    leaves(exchange: Exchange): void {
      if (!exchange.instance.startsWith('instance')) return;
      const plan = planOf(exchange, witness);
      const machine = plan && witness.lastOf(plan);
      if (machine === undefined || (isOfNode(exchange) && isHeld(machine, witness))) return;
      const phase = isOfStatus(exchange) ? saidIn(exchange, machine) : standOf(machine)?.phase;
      note(machine.metadata.uid ?? '', phase ?? 'drain', witness.world.now());
    },
  };
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
const isHeld = (machine: KubeObject, { past }: Witness): boolean =>
  whyHeldBack(past.present, machine) !== undefined ||
  hooksAt(machine, 'pre-drain').length + hooksAt(machine, 'pre-terminate').length > 0;

const isOfStatus = ({ resource, verb }: Pick<Exchange, 'resource' | 'verb'>): boolean =>
  resource.startsWith('machines.') && resource.endsWith('/status') && verb === 'patch';

/** The phase that a status tells to be tried; none where it tells of something else. */
function saidIn({ body }: Exchange, { apiVersion }: KubeObject): string {
  const told: KubeObject = { apiVersion: apiVersion ?? '', metadata: { name: '' }, ...recordAt(body) };
  return reasons[textAt(conditionIn(conditionsOf(told), 'Deleting'), 'reason') ?? ''] ?? 'none';
}
