import type { Advance } from '../machine/messages.ts';
import type { StatusInput } from '../dialects/dialect.ts';
import type { WorkloadCluster } from '../kubernetes/client.ts';
import type { Arrived } from './load.ts';
import type { Start } from '../read/staleness.ts';
import type { Environment } from '../runtime/environment.ts';
import { RunningLook } from '../read/snapshot.ts';
import { goingOn } from '../runtime/trace-propagation.ts';
import type { Report } from '../machine/report.ts';
import { workloadOf, lookAt, type Restart } from '../read/open-snapshot.ts';
import type { Chronicle } from './journal.ts';

/** One invocation's work on one Machine, from its arrival to what is told at its end. */
export interface Turn {
  env: Environment;
  arrived: Arrived;
  look: RunningLook;
  workload: () => Promise<WorkloadCluster>;
  chronicle: Chronicle;
  lastReport: Report | undefined;
  /** When the step began, and the Machine's Cluster was read for one. */
  start?: Start;
  /** Set once the phase was tried in vain: something it asked for could not be read or done. */
  hasFailed?: boolean;
}

/** What the turn has to tell is added to the step's chronicle. */
export function beginTurn(
  env: Environment,
  arrived: Arrived,
  chronicle: Chronicle,
  restart: Restart = { beganAt: env.clock.now() },
): Turn {
  const workload = workloadOf(env, arrived.subject);
  const look = lookAt(env, arrived.subject, restart);
  return { env, arrived, look, workload, chronicle, lastReport: undefined };
}

export function statusInput({ env, arrived, look }: Turn, report: Report | undefined): StatusInput {
  const { machine, dialect, checkpoint, surroundings } = arrived.subject;
  const causes = dialect.pausedBy(machine, surroundings);
  // What the Machine itself says of a pause is known, whatever could not be read.
  const paused = causes.length === 0 && arrived.isPauseUnknown ? undefined : causes;
  const { cluster } = surroundings;
  return { machine, checkpoint, report, paused, cluster, ...look.sightings, now: env.clock.now() };
}

/** The command that would run this very step again. */
export function commandOf({ env, arrived }: Turn): Advance {
  const { machine, checkpoint } = arrived.subject;
  const { phase, seq } = checkpoint;
  const { ref, resourceVersion } = machine;
  return { machine: ref, phase, seq, resourceVersion, ...goingOn(env) };
}
