import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import type { MachineSelection } from '../../../shared/explain/fleet/selection.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { KeptHooks } from '../../hook/kept-hooks.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { Records } from './records.ts';
import { whyUnread } from './why-unread.ts';

/** What a page sees deletions with, and nothing that writes. */
export interface Sight extends DeletionSight {
  /** Lists whole clusters. Throws Unavailable where no Machines can be listed. */
  judgeMany: (selection: MachineSelection) => Promise<JudgedMany>;
}

/** The same without plans of many. */
export interface DeletionSight {
  /** The API that has the Machines. */
  kubernetes: Pick<Kubernetes, 'list' | 'watch'>;
  machineApis: readonly MachineApi[];
  /** Whose Machines are seen; those of all namespaces where it is missing. */
  namespace?: string | undefined;
  clock: Clock;
  hooks: KeptHooks;
  /** Where the Machines are, in a few words. */
  subject: string;
  /** What was done to what is looked at. */
  notes: readonly string[];
  recordsOf: (machineUid: string) => Promise<Records>;
  explain: Explain;
}

/** Machines that were judged, each alone. */
export interface JudgedMany {
  machines: readonly JudgedMachine[];
  /** What could not be read, a sentence each. */
  unread: readonly string[];
}

/** What the deletion of a Machine would do, or has left to do, and what holds it. */
interface Explained {
  plan: DeletionPlan;
  explanation: Explanation;
}

type Explain = (
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
