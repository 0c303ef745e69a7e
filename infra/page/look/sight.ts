import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { Explain } from './explained.ts';
import type { Records } from './records.ts';

/** What a page sees with, and nothing that writes. */
export interface Sight {
  /** The API that has the Machines. */
  kubernetes: Pick<Kubernetes, 'list' | 'watch'>;
  machineApis: readonly MachineApi[];
  /** Whose Machines are seen; those of all namespaces where it is missing. */
  namespace?: string | undefined;
  clock: Clock;
  /** Where the Machines are, in a few words. */
  subject: string;
  /** What was done to what is looked at. */
  notes: readonly string[];
  recordsOf: (machineUid: string) => Promise<Records>;
  explain: Explain;
}
