import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { dialects } from '../../../shared/dialects/registry.ts';
import type { Seen } from '../../../shared/explain/seen.ts';
import { shownDialect } from '../../../shared/explain/shown-dialect.ts';
import type { Standing } from '../../../shared/explain/standing.ts';
import { standingOf } from '../../../shared/explain/standing-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readOr } from '../../../shared/kubernetes/read-or.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Machine, ObjectRef } from '../../../shared/machine/machine.ts';
import { planDeletion } from '../../../shared/plan/plan-deletion.ts';
import { readReferred } from '../../../shared/read/surroundings.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';
import { withoutUnknown } from '../look/unknown-budgets.ts';
import { kubectlFor } from './kubectl-words.ts';
import { whatIsOn } from './on-node.ts';

interface Gathering {
  looker: Looker;
  source: LookSource;
  /** As it was read. */
  raw: KubeObject;
  /** Where it was read. */
  history?: readonly HistoryEntry[];
}

/**
 * Reads what an explanation of the Machine is made from; undefined where it has gone meanwhile. What cannot be read is left
 * out: the looker notes it.
 */
export async function gather({ looker, source, raw, history }: Gathering): Promise<Seen | undefined> {
  const { environment, unknownBudgets } = looker;
  const { clock } = environment;
  const configured = environment.dialects;
  const standing = standingOf(raw, { now: clock.now(), dialects: configured });
  const dialect = carryingDialect(raw, standing, configured);
  if (dialect === undefined) return undefined;
  const env = { ...environment, dialects: [dialect] };
  const machine = dialect.read(raw);
  const found = await planDeletion(env, machine.ref, {
    isNodeMissing: looker.isNodeMissing(machine.ref),
    stands: standing?.carriedBy === 'controller' ? standsAt(standing) : undefined,
  });
  if (found === undefined) return undefined;
  const plan = withoutUnknown(found, unknownBudgets);
  const workload = dialect.workload(machine);
  return {
    now: clock.now(),
    machine,
    dialect,
    standing,
    plan,
    ...(await objectsOf(env, machine, standing)),
    ...(await whatIsOn(env, { workload, nodeName: machine.nodeName, plan })),
    history,
    unread: looker.unread(),
    kubectl: kubectlFor(source, workload),
  };
}

/** Where the API's own controller carries it on, that one's phases count. */
function carryingDialect(
  raw: KubeObject,
  standing: Standing | undefined,
  configured: readonly Dialect[],
): Dialect | undefined {
  const shown = shownDialect(raw, configured);
  if (standing?.carriedBy !== 'controller') return shown;
  return dialects.find(({ group }) => group === shown?.group);
}

function standsAt({ machine, phase, since, deletedAt }: Standing): Checkpoint | undefined {
  if (phase === undefined) return undefined;
  return { v: 1, uid: machine.uid, seq: 0, phase, since: since ?? deletedAt, passed: {} };
}

/** What goes with the Machine, where that is waited for. */
async function objectsOf(
  env: Environment,
  machine: Machine,
  standing: Standing | undefined,
): Promise<Pick<Seen, 'infrastructure' | 'bootstrap'>> {
  const read = (ref: ObjectRef | undefined): Promise<KubeObject | undefined> =>
    ref === undefined ? Promise.resolve(undefined) : readOr(undefined, () => readReferred(env, ref));
  if (standing?.phase === 'infrastructure') return { infrastructure: await read(machine.infrastructure) };
  return standing?.phase === 'bootstrap' ? { bootstrap: await read(machine.bootstrap) } : {};
}
