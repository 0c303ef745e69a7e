import { explain } from '../../../shared/explain/explain.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import { type Seen, seenIn } from '../../../shared/explain/seen.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import { assessMachine } from '../look/assess-machine.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';
import { kubectlFor } from './kubectl-words.ts';

interface Asked {
  looker: Looker;
  source: LookSource;
  /** As it was read. */
  raw: KubeObject;
}

/** What an explanation of the Machine is made from; undefined where it has gone meanwhile. */
export async function seenOf({ looker, source, raw }: Asked): Promise<Seen | undefined> {
  const found = await assessMachine(looker, raw);
  if (found === undefined) return undefined;
  const { machine, dialect } = found.assessment;
  const unread = looker.unread();
  return seenIn({ ...found, unread, kubectl: kubectlFor(source, dialect.workload(machine)) });
}

/** The plan of a Machine with its explanation; undefined where it has gone meanwhile. */
export async function explained(
  asked: Asked,
  history: readonly HistoryEntry[] | undefined,
): Promise<{ plan: DeletionPlan; explanation: Explanation } | undefined> {
  const seen = await seenOf(asked);
  return seen && { plan: seen.plan, explanation: explain({ ...seen, history }) };
}
