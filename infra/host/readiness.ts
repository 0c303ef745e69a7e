import type { Dialect } from '../../shared/dialects/dialect.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Config } from '../../shared/runtime/config.ts';
import { dialectsFor } from '../../shared/runtime/dialects-for.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { type Clock, pause } from '../../shared/time/clock.ts';
import type { OpenStore } from './open-store.ts';
import { servedMachineApi } from './served-machine-apis.ts';

/** Something that the functions need before they can do any work. */
interface Needed {
  name: string;
  /** A cheap read; resolves when it was answered. */
  ask: () => Promise<void>;
}

export interface Readiness {
  /** What has not answered yet, and why. Costs nothing: Knative probes every 50 ms. */
  waitsFor(): readonly string[];
  /** Asks no more. */
  stop(): void;
}

const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 5_000;

/** An event before the first probe must not wait for checks that no probe has asked for. */
const unaskedMilliseconds = 1_000;

/**
 * Asks each, from the first probe or the first second on, until it has answered once, and never again. A later failure
 * keeps the instance ready. Deletion works without the store, and a restart would not bring the API server back.
 */
export function awaitAnswers(all: readonly Needed[], options: { clock: Clock; log: InstanceLog }): Readiness {
  const waiting = new Map(all.map(({ name }) => [name, `${name}: no answer yet`]));
  const stopping = new AbortController();
  let hasBegun = false;
  const begin = (): void => {
    const due = hasBegun ? [] : all;
    hasBegun = true;
    for (const needed of due) void untilAnswered(needed, { ...options, waiting, stopped: stopping.signal });
  };
  options.clock.after(unaskedMilliseconds, begin);
  return {
    waitsFor() {
      begin();
      return [...waiting.values()];
    },
    stop: () => stopping.abort(),
  };
}

interface Waiting {
  clock: Clock;
  log: InstanceLog;
  waiting: Map<string, string>;
  stopped: AbortSignal;
}

async function untilAnswered(needed: Needed, { clock, log, waiting, stopped }: Waiting): Promise<void> {
  const age = clock.stopwatch();
  const { name } = needed;
  for (let milliseconds = firstPauseMilliseconds; !stopped.aborted; milliseconds = longer(milliseconds)) {
    const why = await problemOf(needed);
    if (stopped.aborted) return;
    if (why === undefined) {
      waiting.delete(name);
      log.debug('Answered', { what: name, milliseconds: age() });
      if (waiting.size === 0) log.info('Ready');
      return;
    }
    const text = `${name}: ${why}`;
    if (waiting.get(name) !== text) log.warn('Not ready', { what: name, why });
    waiting.set(name, text);
    await pause(clock, milliseconds);
  }
}

const longer = (milliseconds: number): number => Math.min(2 * milliseconds, longestPauseMilliseconds);

async function problemOf({ ask }: Needed): Promise<string | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Reached {
  management: Pick<Kubernetes, 'discover'>;
  opened: Pick<OpenStore, 'answer'>;
  config: Config;
  log: InstanceLog;
}

/** What the functions need to work. Both reads use only permissions that the functions need anyway. */
export const needsOf = (reached: Reached): Needed[] => [
  { name: 'the Kubernetes API', ask: () => askForMachineApis(reached) },
  { name: 'the store', ask: () => reached.opened.answer() },
];

/**
 * The list of Machine APIs is also the first thing to know in case of a problem. One API may fail alone, if an
 * aggregated server answers for it: then the others are enough.
 */
async function askForMachineApis(reached: Reached): Promise<void> {
  const { config, log } = reached;
  const answers = await Promise.all(dialectsFor(config).map((dialect) => askFor(dialect, reached)));
  const served = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const failures = answers.filter((answer) => answer instanceof Unavailable);
  const [failure] = failures;
  if (failure !== undefined && failures.length === answers.length) throw failure;
  for (const { message: why } of failures) log.warn('Machine API could not be asked for', { why });
  if (served.length > 0) log.info('Machine APIs are served', { served });
  // This is an answer too, and a later answer may differ.
  else log.warn('No Machine API is served');
}

/** The served versions; may be empty. */
async function askFor(dialect: Dialect, { management }: Reached): Promise<string[] | Unavailable> {
  try {
    const api = await servedMachineApi(management, dialect);
    return api === undefined ? [] : [api.apiVersion];
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}
