import { isEviction, isWatch, isWrite } from '../../faults/api/request-fault.ts';
import type { ProviderCall, ProviderFate } from '../../platform/provider.ts';
import { type Exchange, labelOf } from '../../wire/exchange.ts';
import { refusals } from '../../wire/invented.ts';
import type { Meddling } from '../../wire/meddling.ts';
import { isOfInstance, type Sweep, type Way } from '../sweep.ts';

interface Refusal<Fate> extends Way {
  fate: Fate;
}

const ofAny: readonly Refusal<Meddling>[] = [
  { way: '500', fate: { answer: refusals.internal } },
  { way: '503 after it was done', fate: { answerAfter: refusals.unavailable } },
  { way: '403', fate: { answer: refusals.forbidden } },
  { way: 'silence', fate: { silent: 'before' } },
];
const ofWrites: readonly Refusal<Meddling>[] = [
  { way: '409', fate: { answer: refusals.conflict } },
  ...ofAny,
];

const ofProvider: readonly Refusal<ProviderFate>[] = [
  { way: 'finds nobody', fate: 'finds nobody' },
  { way: 'is done without an answer', fate: 'is not answered' },
  { way: 'is refused', fate: { says: { kind: 'failed', reason: undefined, message: 'a bad day' } } },
];

export const refuse: Sweep = {
  name: 'refuse',
  about:
    'Each request is refused once, in every way that servers have; each call of the provider fails once.',
  watch(world, ask) {
    const { meddlers } = world;
    meddlers.onRequest((exchange) => {
      if (!isOfInstance(exchange.instance) || isWatch(exchange)) return undefined;
      const how = ask(labelOf(exchange), () => (mayConflict(exchange) ? ofWrites : ofAny));
      if (how === undefined) return undefined;
      world.say('the API', `answers ${labelOf(exchange)} with ${how.way}`);
      world.hit('refuse', exchange.instance);
      return how.fate;
    });
    meddlers.onProvider((call) => {
      const how = ask(wordsOf(call), () => ofProvider);
      if (how === undefined) return undefined;
      world.say('the provider', `${wordsOf(call)}: it ${how.way}`);
      world.hit('refuse', call.instance);
      return how.fate;
    });
  },
};

/** A created object exists already or does not, but no other client has written it. */
const mayConflict = (exchange: Exchange): boolean =>
  isWrite(exchange) && (exchange.verb !== 'create' || isEviction(exchange));

const wordsOf = ({ operation, machine, instance }: ProviderCall): string =>
  `${operation} for ${machine.metadata.name} by ${instance}`;
