import { pathOf } from '../../../shared/actuator/contract.ts';
import type { Meddlers } from '../meddlers.ts';
import type { Observer } from '../observer.ts';
import { createSimulatedStoreClient } from '../store/client.ts';
import type { SimulatedTable } from '../store/table.ts';
import { type InstanceParts, SimulatedInstance } from './instance.ts';
import { simulatedLog } from './log.ts';
import { wayToProvider } from './provider.ts';
import type { ProviderDesk } from './provider-desk.ts';

interface Surroundings extends Omit<InstanceParts, 'log' | 'store' | 'fetch' | 'answered'> {
  meddlers: Meddlers;
  table: SimulatedTable;
  provider: ProviderDesk;
  tell: (tell: (observer: Observer) => void) => void;
}

/** The share of the store's queries whose answers come in an order of chance. */
const orderedQueries = 0.1;

/** An instance with ways to everything there is. Faults may meddle with each. */
export function newInstance({ meddlers, table, provider, tell, ...parts }: Surroundings): SimulatedInstance {
  const { strand, random } = parts;
  const { name, errands } = strand;
  const whenAsked = random.fork('queries');
  const store = createSimulatedStoreClient(table, {
    // A sweep asks sixteen shards at once: who of them answers when matters now and then only.
    step: (label) =>
      label.startsWith('store Query') && !whenAsked.chance(orderedQueries)
        ? Promise.resolve()
        : strand.step(label),
    clock: strand,
    begins: (what, answer) => void errands.note(what, answer),
    faults: (command) => meddlers.store({ instance: name, ...command }) ?? 'none',
  });
  const ask = wayToProvider(strand, {
    desk: provider,
    fate: (call) => meddlers.provider(call) ?? 'answers',
    asked: (call) => tell((observer) => observer.asked?.(call)),
    seen: (call, answer) => tell((observer) => observer.provider?.(call, answer)),
    heard: (call, answer) => tell((observer) => observer.providerHeard?.(call, answer)),
  });
  return new SimulatedInstance({
    ...parts,
    log: simulatedLog((level, message, fields) =>
      tell((observer) => observer.logged?.(name, level, message, fields)),
    ),
    answered: (milliseconds, left) => tell((observer) => observer.answered?.(name, milliseconds, left)),
    store,
    fetch(url, init) {
      const answer = ask(url, init);
      return url.endsWith(pathOf('exists')) ? answer : errands.note(url, answer);
    },
  });
}
