import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import { whyUnread } from './why-unread.ts';

/** What the deletion of a Machine would do, or has left to do, and what holds it. */
interface Explained {
  plan: DeletionPlan;
  explanation: Explanation;
}

export type Explain = (
  machine: KubeObject,
  history: readonly HistoryEntry[] | undefined,
) => Promise<Explained | undefined>;

interface Told extends Partial<Explained> {
  unread: readonly string[];
}

/** Absent where the Machine went meanwhile, or nothing can be said. */
export async function explained(explain: Explain, ...about: Parameters<Explain>): Promise<Told> {
  try {
    const found = await explain(...about);
    return { ...found, unread: found?.explanation.unread ?? [] };
  } catch (error) {
    return { unread: [whyUnread('what the plan needs', error)] };
  }
}
