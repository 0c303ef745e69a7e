import { type HookPlace, hookPlaces } from '../../../shared/machine/hook-call.ts';
import { type PlayedHook, titleOfHook } from '../platform/functions/played.ts';
import { isBeside } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { writtenStand } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { takesFirstHook, takesSecondHook } from './sight/json-patch.ts';
import { type Case, judging, judgingServers } from './sight/judging.ts';
import { checkpointKey, hooksKey, titleOf } from './sight/machine.ts';
import { type Effect, sendsPodsAway } from './sight/seen-effect.ts';
import { callIn } from './sight/sent-calls.ts';
import { watchGrounds } from './sight/turn-grounds.ts';
import { type ToldTurn, turnsIn, turnsOf } from './sight/turns.ts';
import { isHeldAt, wantedAt } from './sight/wanted-functions.ts';
import { type Witness, witnessOf } from './sight/witness.ts';
import { writtenText } from './sight/written.ts';

const drains = [...sendsPodsAway, 'cordon'] as const;
const ends = ['delete infrastructure', 'delete bootstrap', 'delete Node', 'take finalizer'] as const;

/** A turn that an instance says has ended, and what is wrong with that. */
interface Claim {
  key: string;
  why: string | undefined;
  label: string;
}

/** What a request tells of a Machine's turns, if it is done. */
interface Write {
  effect: Effect;
  claims: Claim[];
}

export const hookFunctionsHold: Invariant = {
  name: 'a Machine goes past functions only by their Done, a time limit that says so, a person, or the API',
  watch(world, scenario, violated) {
    if (world.functions.hooks.length === 0) return {};
    const witness = witnessOf(world, scenario);
    const grounds = watchGrounds(witness);
    /** By hook and Machine. */
    const ended = new Set<string>();
    const written = new WeakMap<Exchange, Write>();
    /** They are not answered yet, or with an error. They may be done all the same, now or later. */
    const unsure = new Set<Write>();
    /** As it was when the Machine reached the place. What its labels say later changes nothing. */
    const reached = new Map<string, PlayedHook[]>();
    const pending = (plan: Case['plan'], machine: Case['machine'], place: HookPlace): PlayedHook[] => {
      settle();
      if (!isHeldAt(world, plan, machine, place)) return [];
      const wanted = reached.get(placeKey(machine, place)) ?? wantedAt(witness, plan, machine, place);
      return wanted.filter((hook) => !ended.has(keyOf(hook, machine)));
    };
    const reach = ({ exchange, plan, machine }: Effect): void => {
      if (plan === undefined || machine === undefined) return;
      for (const place of placesReached(exchange, machine)) {
        const key = placeKey(machine, place);
        if (!reached.has(key)) reached.set(key, wantedAt(witness, plan, machine, place));
      }
    };
    const done = ({ effect, claims }: Write): void => {
      reach(effect);
      for (const { key, why, label } of claims) {
        if (why === undefined) ended.add(key);
        else if (!ended.has(key)) violated(`${label}: ${why}`);
      }
    };
    /** Nothing is seen of it before it is done. */
    const lateWrite = (exchange: Exchange): Write | undefined => {
      const effect = effectOf(exchange, witness);
      return effect && { effect, claims: claimsIn(effect, witness, grounds, []) };
    };
    const settle = (): void => {
      for (const write of unsure) {
        if (!isShown(witness, write.effect)) continue;
        unsure.delete(write);
        done(write);
      }
    };
    const heldBy = ({ plan, machine }: Case, places: readonly HookPlace[]): string | undefined => {
      const names = places.flatMap((place) => pending(plan, machine, place)).map(titleOfHook);
      return names.length === 0 ? undefined : `it waits for the function of ${names.join(', ')}`;
    };
    const placesOf = ({ plan }: Pick<Case, 'plan'>): HookPlace[] =>
      isBeside(world, plan) ? ['PreDrain'] : ['PreDrain', 'PreTerminate'];
    const effects = judging(
      witness,
      [...drains, 'hand over', ...ends],
      ({ kind, plan, machine, actor, exchange }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const isDrain = drains.some((drain) => drain === kind);
        const of = { actor, plan, machine };
        if (kind === 'hand over') return heldBy(of, placesLeft(exchange.body));
        return heldBy(of, isDrain ? ['PreDrain'] : placesOf(of));
      },
      violated,
    );
    return {
      ...judgingServers(witness, (of) => heldBy(of, placesOf(of)), violated),
      before(exchange) {
        effects.before?.(exchange);
        const effect = effectOf(exchange, witness);
        if (effect === undefined) return;
        settle();
        const write = { effect, claims: claimsIn(effect, witness, grounds, turnsBefore(effect)) };
        written.set(exchange, write);
        unsure.add(write);
      },
      after(exchange, answer) {
        effects.after?.(exchange, answer);
        if (answer.code >= 300) return;
        const write = written.get(exchange) ?? lateWrite(exchange);
        if (write === undefined) return;
        unsure.delete(write);
        done(write);
      },
      sent(event) {
        const call = callIn(event);
        const plan = call && witness.machineWithUid(call.machineUid);
        const machine = plan && witness.lastOf(plan);
        if (call === undefined || plan === undefined || machine === undefined) return;
        const hook = world.functions.hooks.find((each) => titleOfHook(each) === call.hook);
        const places: HookPlace[] = call.place === 'PreDrain' ? ['PreDrain'] : ['PreDrain', 'PreTerminate'];
        const earlier = places
          .flatMap((place) => pending(plan, machine, place))
          .filter(({ spec }) => spec.at !== call.place || spec.order < (hook?.spec.order ?? 0));
        if (earlier.length > 0)
          violated(
            `the function of ${call.hook} is asked about ${titleOf(plan)} before ${earlier.map(titleOfHook).join(', ')}`,
          );
      },
    };
  },
};

/** The places that a request says a Machine has reached: functions are asked, or it goes on to its drain. */
function placesReached(exchange: Exchange, machine: Case['machine']): HookPlace[] {
  const text = writtenText(exchange, hooksKey);
  const told = turnsIn(text, machine.metadata.uid).map(({ place }) => place);
  const stand = writtenStand(exchange, machine);
  const isPast = typeof stand === 'object' && stand.phase !== 'pre-drain';
  return hookPlaces.filter((place) => told.includes(place) || (place === 'PreDrain' && isPast));
}

/** Whether the Machine says what a request was to write. */
const isShown = (witness: Witness, { exchange, plan }: Effect): boolean =>
  plan !== undefined &&
  [hooksKey, checkpointKey].some((key) => {
    const text = writtenText(exchange, key);
    return text !== undefined && witness.lastOf(plan)?.metadata.annotations?.[key] === text;
  });

/** The places that a Machine leaves as our hooks go: each has one of its own. */
const placesLeft = (body: unknown): HookPlace[] => {
  if (!takesSecondHook(body)) return ['PreDrain'];
  return takesFirstHook(body) ? ['PreDrain', 'PreTerminate'] : ['PreTerminate'];
};

const keyOf = (hook: PlayedHook, { metadata: { uid = '' } }: Case['machine']): string =>
  `${titleOfHook(hook)} ${uid}`;

const placeKey = ({ metadata: { uid = '' } }: Case['machine'], place: HookPlace): string => `${place} ${uid}`;

const turnsBefore = ({ machine }: Effect): ToldTurn[] => (machine === undefined ? [] : turnsOf(machine));

/** The turns that end by a write, each with what is wrong with its end. */
function claimsIn(
  effect: Effect,
  witness: Witness,
  grounds: ReturnType<typeof watchGrounds>,
  before: readonly ToldTurn[],
): Claim[] {
  const { plan, machine, actor, label } = effect;
  const text = writtenText(effect.exchange, hooksKey);
  if (plan === undefined || machine === undefined || text === undefined) return [];
  const of = { actor, plan, machine };
  return turnsIn(text, machine.metadata.uid).flatMap((turn) => {
    const hook = witness.world.functions.hooks.find(
      ({ namespace, name }) => namespace === plan.namespace && name === turn.name,
    );
    if (turn.end === undefined || hook === undefined || isToldAlready(before, turn)) return [];
    const why = grounds(of, hook, turn);
    const says = `${label}: it says that the function of ${titleOfHook(hook)} has ended as ${turn.end}`;
    return [{ key: keyOf(hook, machine), why, label: says }];
  });
}

/** What a person has written down stays as it is. */
const isToldAlready = (before: readonly ToldTurn[], { name, end }: ToldTurn): boolean =>
  end !== 'Passed' && before.some((each) => each.name === name && each.end === end);
