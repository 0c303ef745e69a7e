import type { Advance } from '../../../../shared/machine/messages.ts';
import type { Observer } from '../../observer.ts';
import type { SimulatedInstance } from '../../platform/instance.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { World } from '../../world.ts';
import type { Actor, Read } from './actor.ts';
import { watchClocks } from './clocks.ts';
import type { Effect } from './seen-effect.ts';

/** A moment in the life of one instance. */
interface Moment {
  at: number;
  /** For how long it had stood still by then. */
  stoodStill: number;
}

/** Whether the step is for a Machine of this name. */
export const isStepOf = ({ machine }: Advance, { resource, namespace, name }: MachinePlan): boolean =>
  machine.name === name &&
  machine.namespace === namespace &&
  resource === `machines.${machine.apiVersion.split('/')[0]}`;

/** When each instance has read what, and when it began what it does. */
export interface Reads extends Observer {
  /**
   * The earliest moment whose state the actor may see. That is its first reading of it in its step, or up to `grace`
   * milliseconds before the step. Otherwise it is the last reading before that. Undefined if it never read it.
   */
  earliest(actor: Actor, what: Read, grace: number): number | undefined;
  /**
   * Whether the actor has read it in its step, or at most so many milliseconds before. Before means before the step, or
   * before the request left. The time that it stood still in the step does not count.
   */
  isFresh(effect: Pick<Effect, 'actor' | 'exchange'>, what: Read, milliseconds: number): boolean;
  /** When the request left its sender; now if no observer heard of that. */
  leftAt(exchange: Exchange): number;
  /** When the step began that the actor is taking; now where it takes none. */
  beganAt(actor: Actor): number;
  /** For how many milliseconds it has stood still since its step began. */
  stoodStillInStep(actor: Actor): number;
  /** For how many milliseconds it has stood still in all, also where it is asked to end by now. */
  stillnessOf(instance: string): number;
  /** Those that it is taking now; undefined where it is no instance of this world. */
  stepsOf(instance: string): readonly Advance[] | undefined;
  /** All that the instance may have taken for the present when it decided what it does now. */
  presentsOf(instance: string): readonly number[];
  /** Whether any of them has been seen to have a wrong clock so far. */
  haveClocksJumped(): boolean;
}

/** Listens from now on. */
export function rememberReads(world: World): Reads {
  const reads = new Map<string, Moment[]>();
  const instances = new Map<string, SimulatedInstance>();
  const begun = new WeakMap<Advance, Moment>();
  const clocks = watchClocks();
  const left = new WeakMap<Exchange, Moment>();

  const find = (name: string): SimulatedInstance | undefined => {
    const known = instances.get(name) ?? world.instances().find((instance) => instance.name === name);
    if (known !== undefined) instances.set(name, known);
    return known;
  };
  const clockOf = (name: string): number => find(name)?.strand.now() ?? world.now();
  const presentOf = (name: string) => ({ at: world.now(), awake: find(name)?.strand.awake() ?? world.now() });
  const noteClock = (name: string): void => clocks.note(name, presentOf(name), clockOf(name));
  const stillnessOf = (name: string): number => find(name)?.strand.stoodStill ?? 0;
  const momentOf = (name: string): Moment => ({ at: world.now(), stoodStill: stillnessOf(name) });
  const beginningOf = ({ instance, machineUid, plan }: Actor): Moment | undefined => {
    const steps = find(instance)?.steps() ?? [];
    const isOwn = (step: Advance): boolean => plan !== undefined && isStepOf(step, plan);
    const own = steps.filter((step) => step.machine.uid === machineUid || isOwn(step));
    return own.flatMap((step) => begun.get(step) ?? []).toSorted((one, other) => one.at - other.at)[0];
  };
  const of = ({ instance }: Actor, what: Read): Moment[] =>
    [what, ...listsWith(what)]
      .flatMap((one) => reads.get(keyOf(instance, one)) ?? [])
      .toSorted((one, other) => one.at - other.at);
  const isWithin = (moment: Moment, milliseconds: number, of_: Moment): boolean =>
    of_.at - moment.at - (of_.stoodStill - moment.stoodStill) <= milliseconds;

  return {
    leaves: (exchange) => void left.set(exchange, momentOf(exchange.instance)),
    before({ instance }) {
      noteClock(instance);
      for (const step of find(instance)?.steps() ?? [])
        if (!begun.has(step)) begun.set(step, momentOf(instance));
    },
    // Two jumps may come with no request in between.
    said: () => world.instances().forEach(({ name }) => noteClock(name)),
    after(exchange, { code }) {
      noteClock(exchange.instance);
      const what = readBy(exchange, code);
      if (what === undefined) return;
      const key = keyOf(exchange.instance, what);
      const known = reads.get(key) ?? [];
      known.push(momentOf(exchange.instance));
      reads.set(key, known);
    },
    earliest(actor, what, grace) {
      const known = of(actor, what);
      const since = beginningOf(actor) ?? momentOf(actor.instance);
      // One at whose answer the instance stood still counts as any other reading of the step.
      const first = known.find((moment) => moment.at >= since.at || isWithin(moment, grace, since));
      return (first ?? known.at(-1))?.at;
    },
    leftAt: (exchange) => left.get(exchange)?.at ?? world.now(),
    beganAt: (actor) => beginningOf(actor)?.at ?? world.now(),
    isFresh({ actor, exchange }, what, milliseconds) {
      const last = of(actor, what).at(-1);
      if (last === undefined) return false;
      const since = beginningOf(actor);
      if (since !== undefined && last.at >= since.at) return true;
      // An instance that stood still before its step has to look again.
      const known = { ...last, stoodStill: since?.stoodStill ?? last.stoodStill };
      if (since !== undefined && isWithin(known, milliseconds, since)) return true;
      // An eviction may wait for its turn. It may wait as long as a step may rest on an earlier reading.
      return isWithin(known, milliseconds, left.get(exchange) ?? momentOf(actor.instance));
    },
    stoodStillInStep(actor) {
      const since = beginningOf(actor);
      return since === undefined ? 0 : stillnessOf(actor.instance) - since.stoodStill;
    },
    stepsOf: (instance) => find(instance)?.steps(),
    stillnessOf,
    presentsOf: (instance) => clocks.presents(instance, presentOf(instance)),
    haveClocksJumped: () => clocks.haveJumped(),
  };
}

const keyOf = (
  instance: string,
  { host, resource, namespace = '', name = '', fieldSelector = '' }: Read,
): string => `${instance} ${host} ${resource} ${namespace}/${name} ${fieldSelector}`;

/** An object is also read with all of its kind. */
const listsWith = ({ host, resource, namespace, name }: Read): Read[] =>
  name === undefined
    ? []
    : [
        { host, resource },
        { host, resource, namespace },
      ];

/** The answer to a write is a reading too. What is chosen by labels is read for another purpose. */
function readBy(exchange: Exchange, code: number): Read | undefined {
  const { host, resource, namespace, name, verb, query } = exchange;
  const isThere = code < 300;
  if (verb === 'get' && (isThere || code === 404)) return { host, resource, namespace, name };
  if (verb === 'patch' && isThere) return { host, resource: resource.split('/')[0] ?? '', namespace, name };
  if (verb !== 'list' || !isThere || query['continue'] !== undefined || query['labelSelector'] !== undefined)
    return undefined;
  const { fieldSelector } = query;
  return fieldSelector === undefined
    ? { host, resource, namespace }
    : { host, resource, namespace, fieldSelector };
}
