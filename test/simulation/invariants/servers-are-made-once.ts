import type { ProviderCall } from '../platform/provider.ts';
import { nameOf } from '../story/news.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting, machineIn } from './sight/machine.ts';
import { watchTokenReads } from './sight/shown-token.ts';
import { witnessOf } from './sight/witness.ts';

interface Moment {
  at: number;
  stoodStill: number;
}

/** That an instance has learnt that a Machine lives. */
interface Learnt extends Moment {
  /** When it asked the provider for something because of that. */
  calls: Moment[];
}

/** The token for the provider may change, and the connection may break each time. Then the instance repeats its call. */
const maxCalls = 4;
/** From one call to its repetition: the provider's time, and the reading of the token. */
const callMilliseconds = 60_000;

/** How many readings of a Machine are remembered: other steps read it while a call takes its time. */
const maxKept = 20;

const needed: Readonly<Record<string, string>> = { create: 'absent', update: 'exists' };

/**
 * Two creates make one server. A server made for a Machine under deletion may be left over. So an instance reads the
 * Machine right before it makes a server.
 */
export const serversAreMadeOnce: Invariant = {
  name: 'a server is made, or changed, only right after its Machine was seen to live, and only where the provider said so',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const said = new Map<string, string>();
    const learnt = new Map<string, readonly Learnt[]>();
    const read = new WeakMap<Exchange, string>();
    const { reads } = witness;

    const momentOf = (instance: string): Moment => ({
      at: world.now(),
      stoodStill: reads.stillnessOf(instance),
    });
    const tokens = watchTokenReads(momentOf);

    function isSeenToLive({ instance, machine }: ProviderCall): boolean {
      const now = momentOf(instance);
      const all = learnt.get(keyOf(instance, machine.metadata.uid)) ?? [];
      const last = all.findLast((one) => leadsTo(one, now, tokens.lastOf(instance)));
      last?.calls.push(now);
      return last !== undefined;
    }

    /** A step to the provider may lie between, and the reading of what is shown to it. */
    function leadsTo(one: Learnt, now: Moment, token: ReturnType<typeof tokens.lastOf>): boolean {
      const called = one.calls.at(-1);
      if (called !== undefined)
        return one.calls.length < maxCalls && awakeMilliseconds(called, now) <= callMilliseconds;
      return (
        isNext(one, now) || (token !== undefined && isNext(one, token.began) && isNext(token.ended, now))
      );
    }

    const isNext = (one: Moment, next: Moment): boolean =>
      awakeMilliseconds(one, next) <= scenario.world.latencyMilliseconds;

    function wrongWith(call: ProviderCall): string | undefined {
      const word = needed[call.operation];
      if (word === undefined) return undefined;
      if (said.get(keyOf(call.instance, call.machine.metadata.uid)) !== word)
        return `the provider has not said that it is ${word === 'absent' ? 'not there' : 'there'}`;
      return isSeenToLive(call) ? undefined : 'the Machine was not seen to live right before';
    }

    return {
      after(exchange, { code }) {
        const { instance, verb, resource, namespace, name } = exchange;
        if (!['get', 'patch'].includes(verb) || code >= 300) return;
        const plan = witness.machineNamed(resource.split('/')[0] ?? '', namespace, name);
        const machine = plan?.api === 'v1alpha1' ? machineIn(witness.past.present, plan) : undefined;
        if (machine !== undefined && !isDeleting(machine))
          read.set(exchange, keyOf(instance, machine.metadata.uid));
      },
      leaves: (exchange) => tokens.observer.leaves(exchange),
      heard(exchange) {
        tokens.observer.heard(exchange);
        const key = read.get(exchange);
        if (key === undefined) return;
        const recent = (learnt.get(key) ?? []).slice(1 - maxKept);
        learnt.set(key, [...recent, { ...momentOf(exchange.instance), calls: [] }]);
      },
      asked(call) {
        const why = wrongWith(call);
        const { instance, operation, machine } = call;
        if (why !== undefined)
          violated(
            `${instance} has the provider ${operation} the server of Machine ${nameOf(machine)}: ${why}`,
          );
      },
      provider({ instance, operation, machine }, answer) {
        if (operation === 'exists') said.set(keyOf(instance, machine.metadata.uid), answer?.kind ?? '');
      },
    };
  },
};

/** How long an instance was awake between two moments. */
const awakeMilliseconds = (one: Moment, next: Moment): number =>
  next.at - one.at - (next.stoodStill - one.stoodStill);

const keyOf = (instance: string, uid = ''): string => `${instance} ${uid}`;
