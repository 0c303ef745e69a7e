import { takeOver } from '../../../infra/hook-watchdog/take-over.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { kubeConfig } from './connection.ts';
import { simulatedLog } from './log.ts';
import type { Processes } from './processes.ts';

/** The Lease that phaseout renews while it lives. */
export const ownLease = { namespace: 'phaseout', name: 'phaseout' } as const;
/** For the configuration of instances. */
export const ownLeaseKey = `${ownLease.namespace}/${ownLease.name}`;
export const leases = 'leases.coordination.k8s.io';

/** As its CronJob is rendered. */
const everyMilliseconds = 5 * 60_000;

interface DeadManParts {
  processes: Processes;
  /** When it looks first. */
  firstMilliseconds: number;
  after: (milliseconds: number, run: () => void) => unknown;
  defect: (error: unknown) => void;
}

/** Looks now and then, each time as a process of its own. */
export function startDeadMan({ processes, firstMilliseconds, after, defect }: DeadManParts): void {
  const look = (): void => {
    lookOnce(processes).catch(defect);
    after(everyMilliseconds, look);
  };
  after(firstMilliseconds, look);
}

async function lookOnce(processes: Processes): Promise<void> {
  const strand = processes.start('dead-man');
  const kubernetes = connect(kubeConfig, { ...processes.connect(strand), clock: strand });
  const nows = () => [strand.now()];
  const settings = { installation: '', leaseNamespace: ownLease.namespace, namespaces: [] };
  try {
    await takeOver({ kubernetes, nows, log: simulatedLog(() => undefined) }, settings);
  } catch (error) {
    // Nothing could be told then, and the hooks stay.
    if (!(error instanceof Unavailable)) throw error;
  } finally {
    await kubernetes.close();
    processes.end(strand);
  }
}
