import type { Existence } from '../actuator/port.ts';
import { failuresOf, forgetServed, rememberServed } from '../cache/provisioned.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { readNow } from '../read/machine.ts';
import { readCluster } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import { type Attempt, decideLiving, failed, type LivingDecision } from './decide.ts';
import { addFinalizers } from './finalizers.ts';
import { writeReport } from './report.ts';
import { lookAgain, tryAgain } from './requeue.ts';
import { createServer, updateServer } from './server.ts';

/** One Machine's turn. */
interface Tending {
  env: Environment;
  dialect: Dialect;
  /** How often in a row it has failed before. */
  failures: number;
  /** An event alone says how the Machine is. */
  isHeard: boolean;
  /** What is being tried. */
  attempt: Attempt;
}

/**
 * Keeps a living Machine and its server in step: finalizers, then Exists, then Update or Create. Then it writes what the
 * provider reports. What fails is due again in the store, and told. The answer is the Machine where it is being deleted by
 * now. Rules are those of the original Machine controller.
 */
export async function provision(
  env: Environment,
  dialect: Dialect,
  heardOf: Machine,
  { failures, isHeard = false }: Pick<Tending, 'failures'> & Partial<Pick<Tending, 'isHeard'>>,
): Promise<Machine | undefined> {
  const tending: Tending = { env, dialect, failures, isHeard, attempt: 'look' };
  const machine = await env.machineQueue.run(heardOf.ref.uid, 'tend', () => tend(tending, heardOf));
  return machine !== undefined && isDeleting(machine) ? machine : undefined;
}

/** What stands before a provider may ask for a day, and the store may lose when that is. */
const longestAloneSeconds = 600;

async function tend(tending: Tending, heardOf: Machine): Promise<Machine | undefined> {
  const { env, dialect } = tending;
  const machine = newest(env, dialect, heardOf);
  if (machine === undefined || isDeleting(machine)) return machine;
  tending.failures = Math.max(tending.failures, failuresOf(env.cache, machine.raw));
  try {
    return await tendNow(tending, machine);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const { message, retryAfterSeconds } = error;
    const again = failed(tending.attempt, message, tending.failures, retryAfterSeconds);
    const aloneSeconds = Math.min(retryAfterSeconds ?? 0, longestAloneSeconds);
    return tryAgain(tending, newest(env, dialect, machine) ?? machine, again, aloneSeconds);
  }
}

/** Who waited for a turn may have been overtaken by a write of ours, or by the Machine's end. */
function newest({ cache }: Environment, dialect: Dialect, heardOf: Machine): Machine | undefined {
  const { uid } = heardOf.ref;
  if (cache.isGone(uid)) return undefined;
  const raw = cache.machine(uid)?.raw;
  const isNewer = Number(raw?.metadata.resourceVersion ?? 0) > Number(heardOf.resourceVersion);
  return raw !== undefined && isNewer ? dialect.read(raw) : heardOf;
}

async function tendNow(tending: Tending, seen: Machine): Promise<Machine | undefined> {
  const { env, dialect, failures, isHeard } = tending;
  forgetServed(env.cache, seen.ref.uid);
  const cluster = await readCluster(env, seen, dialect, 'its Machines are left as they are');
  const machine = await addFinalizers(env, dialect, seen, { cluster, isHeard });
  if (machine === undefined || isDeleting(machine)) return machine;
  const existence = await env.actuator.exists({ machine: machine.raw, cluster });
  const decision = decideLiving({ existence, answer: undefined }, failures);
  return follow(tending, { machine, asked: machine, cluster, existence }, decision);
}

/** A living Machine, and what the provider said of its server. */
interface Provisioning {
  machine: Machine;
  /** As it was when the provider was asked: what has changed since it knows nothing of. */
  asked: Machine;
  cluster: KubeObject | undefined;
  existence: Existence;
}

async function follow(
  tending: Tending,
  standing: Provisioning,
  decision: LivingDecision,
): Promise<Machine | undefined> {
  const { env, dialect, failures } = tending;
  const { machine, cluster, existence } = standing;
  if (decision.kind === 'again') {
    const aloneSeconds = decision.fact === undefined ? decision.afterSeconds : 0;
    return tryAgain(tending, standing.asked, decision, aloneSeconds);
  }
  if (decision.kind === 'done') return keep(tending, standing, decision);
  tending.attempt = decision.kind;
  const living = await readNow(env, dialect, machine);
  if (living === undefined || isDeleting(living)) return living;
  const serve = decision.kind === 'update' ? updateServer : createServer;
  const served = await serve({ env, dialect, machine: living, cluster });
  if (served.answer === undefined) return served.machine;
  const next = decideLiving({ existence, answer: served.answer }, failures);
  return follow(tending, { ...standing, machine: served.machine, asked: living }, next);
}

async function keep(
  { env, dialect }: Tending,
  { machine, asked }: Provisioning,
  { report, requeueAfterSeconds }: LivingDecision & { kind: 'done' },
): Promise<Machine | undefined> {
  const kept = await writeReport(env, dialect, machine, report);
  if (kept === undefined || isDeleting(kept)) return kept;
  // Of what there may soon be more to report the sweep asks, too: the store may lose when that is.
  rememberServed(env.cache, asked.raw, requeueAfterSeconds === undefined);
  if (requeueAfterSeconds !== undefined) await lookAgain(env, kept, requeueAfterSeconds, 0);
  return kept;
}
