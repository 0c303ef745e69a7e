import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { maxAttempts } from '../../../shared/adapters/dynamodb/client.ts';
import type {
  CallOptions,
  TableClient,
  TableCommand,
} from '../../../shared/adapters/dynamodb/table-client.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { pauseUnlessAborted, throwIfAborted } from './abort.ts';
import { describeCommand, labelOf, type StoreCommand } from './command.ts';
import { failureOf, type StoreFault } from './faults.ts';
import type { Reading } from './query.ts';
import type { Answer, SimulatedTable } from './table.ts';

export interface SimulatedStoreClientOptions {
  clock: Pick<Clock, 'after'>;
  /** Resolves when what is named there may happen, however much later that is. */
  step: (label: string) => Promise<void>;
  /** Called for a change, with a promise of its answer. */
  begins?: (what: string, answer: Promise<unknown>) => void;
  /** Asked each time that a call is sent. */
  faults: (command: StoreCommand) => StoreFault;
}

/** What stands in the SDK's place: its attempts, its timeouts and its pauses, by the given clock. */
export function createSimulatedStoreClient(
  table: Pick<SimulatedTable, 'answer'>,
  options: SimulatedStoreClientOptions,
): TableClient {
  return {
    config: { region: async () => 'us-east-1', credentials: async () => ({}) },
    send(command: TableCommand, { abortSignal }: CallOptions) {
      const label = labelOf(command);
      const answer = send({ ...options, table, command, abortSignal, label });
      if (!(command instanceof QueryCommand)) options.begins?.(label, answer);
      return answer;
    },
  };
}

interface Call extends SimulatedStoreClientOptions, CallOptions {
  table: Pick<SimulatedTable, 'answer'>;
  command: TableCommand;
  label: string;
}

async function send(call: Call): Promise<Answer> {
  const { clock, abortSignal } = call;
  const told = describeCommand(call.command);
  for (let attempt = 1; ; attempt += 1) {
    await call.step(attempt === 1 ? call.label : `${call.label}, again`);
    throwIfAborted(abortSignal);
    const fault = call.faults(told);
    const failure = failureOf(fault);
    if (failure === undefined) return call.table.answer(call.command, readingOf(fault));
    takeEffect(call, failure.effect);
    await pauseUnlessAborted(clock, failure.afterMilliseconds, abortSignal);
    if (attempt >= maxAttempts) throw failure.error;
    await pauseUnlessAborted(clock, failure.pauseMilliseconds, abortSignal);
  }
}

function readingOf(fault: StoreFault): Reading {
  if (typeof fault === 'string') return {};
  if ('stale' in fault) return { changesAgo: fault.stale };
  return 'page' in fault ? { most: fault.page } : {};
}

function takeEffect(call: Call, effect: 'none' | 'at once' | 'late'): void {
  if (effect === 'none') return;
  if (effect === 'at once') arrive(call);
  else
    void call.step(`${call.label}, late`).then(
      () => arrive(call),
      () => undefined,
    );
}

/** The table answers, and the answer is lost. */
function arrive({ table, command }: Call): void {
  try {
    table.answer(command);
  } catch {
    // A condition that failed has no effect; what is wrong with the command the table remembers.
  }
}
