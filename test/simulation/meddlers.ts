import type { EventFate, EventPassage } from './platform/event-fate.ts';
import type { AnswerFate } from './platform/functions/answer-fate.ts';
import type { PlayedAnswer } from './platform/functions/functions.ts';
import type { ProviderCall, ProviderFate } from './platform/provider.ts';
import type { StoreCommand } from './store/command.ts';
import type { StoreFault } from './store/faults.ts';
import type { Exchange } from './wire/exchange.ts';
import type { Meddling } from './wire/meddling.ts';

/** A call of the table, and whose it is. */
export interface StoreCall extends StoreCommand {
  instance: string;
}

type Meddler<What, Fate> = (what: What) => Fate | undefined;

/** What a process waits for: `get pods/p of blue by instance-1`. */
interface Step {
  strand: string;
  label: string;
}

/** Where faults take hold. The first meddler with an answer for a request, an event or a call decides its fate. */
export interface Meddlers {
  request: Meddler<Exchange, Meddling>;
  event: Meddler<EventPassage, EventFate>;
  store: Meddler<StoreCall, StoreFault>;
  provider: Meddler<ProviderCall, ProviderFate>;
  /** What becomes of the answer of a DeletionHook's function. */
  hookAnswer: Meddler<PlayedAnswer, AnswerFate>;
  /** By how many milliseconds a step takes longer. */
  step: Meddler<Step, number>;
  keepsInstancesAway(): boolean;
  /** Each of these answers with the way to stop it. */
  onRequest(meddler: Meddler<Exchange, Meddling>): () => void;
  /** Not a fault, but so in this world, calm or not. It decides where no other meddler does. */
  onRequestForGood(meddler: Meddler<Exchange, Meddling>): () => void;
  onEvent(meddler: Meddler<EventPassage, EventFate>): () => void;
  onStore(meddler: Meddler<StoreCall, StoreFault>): () => void;
  onProvider(meddler: Meddler<ProviderCall, ProviderFate>): () => void;
  onHookAnswer(meddler: Meddler<PlayedAnswer, AnswerFate>): () => void;
  onStep(meddler: Meddler<Step, number>): () => void;
  keepInstancesAway(): () => void;
  /** Nothing goes wrong any more. */
  clear(): void;
}

function meddlersOf<What, Fate>(defect: (error: unknown) => void) {
  const known = new Set<Meddler<What, Fate>>();
  return {
    known,
    first(what: What): Fate | undefined {
      for (const meddler of known) {
        const fate = decided(meddler, what, defect);
        if (fate !== undefined) return fate;
      }
      return undefined;
    },
    add(meddler: Meddler<What, Fate>): () => void {
      known.add(meddler);
      return () => void known.delete(meddler);
    },
  };
}

function decided<What, Fate>(
  meddler: Meddler<What, Fate>,
  what: What,
  defect: (error: unknown) => void,
): Fate | undefined {
  try {
    return meddler(what);
  } catch (error) {
    defect(error);
    return undefined;
  }
}

/** `defect` gets a meddler's own mistake, which must not pass for a fault of the server. */
export function createMeddlers(defect: (error: unknown) => void): Meddlers {
  const requests = meddlersOf<Exchange, Meddling>(defect);
  const habits = meddlersOf<Exchange, Meddling>(defect);
  const events = meddlersOf<EventPassage, EventFate>(defect);
  const store = meddlersOf<StoreCall, StoreFault>(defect);
  const provider = meddlersOf<ProviderCall, ProviderFate>(defect);
  const answers = meddlersOf<PlayedAnswer, AnswerFate>(defect);
  const steps = meddlersOf<Step, number>(defect);
  const away = new Set<object>();
  return {
    request: (exchange) => requests.first(exchange) ?? habits.first(exchange),
    event: (passage) => events.first(passage),
    store: (command) => store.first(command),
    provider: (call) => provider.first(call),
    hookAnswer: (answer) => answers.first(answer),
    step: (step) => steps.first(step),
    keepsInstancesAway: () => away.size > 0,
    onRequest: (meddler) => requests.add(meddler),
    onRequestForGood: (meddler) => habits.add(meddler),
    onEvent: (meddler) => events.add(meddler),
    onStore: (meddler) => store.add(meddler),
    onProvider: (meddler) => provider.add(meddler),
    onHookAnswer: (meddler) => answers.add(meddler),
    onStep: (meddler) => steps.add(meddler),
    keepInstancesAway() {
      const reason = {};
      away.add(reason);
      return () => void away.delete(reason);
    },
    clear() {
      for (const { known } of [requests, events, store, provider, answers, steps]) known.clear();
      away.clear();
    },
  };
}
