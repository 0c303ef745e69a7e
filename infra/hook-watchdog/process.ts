import * as z from 'zod';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { ConfigInvalid } from '../../shared/runtime/config.ts';
import { createLog, type InstanceLog } from '../../shared/runtime/log.ts';
import type { Clock, Instant } from '../../shared/time/clock.ts';
import { findCluster } from '../host/find-cluster.ts';
import { readSettings, type Settings } from './settings.ts';
import { takeOver } from './take-over.ts';

// It ends before a compiled schema pays off.
z.config({ jitless: true });

interface Outside {
  env: Readonly<Record<string, string | undefined>>;
  stdout: { write(text: string): unknown };
  clock: Clock;
}

/** Looks once. The answer is the exit code: 1 when it could not look, or a hook stayed; 2 for wrong variables. */
export async function runHookWatchdog(outside: Outside): Promise<number> {
  const { env, clock, stdout } = outside;
  const log = createLog({ stream: stdout, clock, level: 'info', form: 'json' });
  try {
    return await look(outside, log, readSettings(env));
  } catch (error) {
    if (error instanceof ConfigInvalid) {
      for (const why of error.problems) log.error('Invalid configuration', { why });
      return 2;
    }
    if (!(error instanceof Unavailable)) throw error;
    log.error('Could not read the Lease or Machines, the hooks stay', { why: error.message });
    return 1;
  }
}

async function look({ env, clock }: Outside, log: InstanceLog, settings: Settings): Promise<number> {
  const kubeconfig = env['KUBECONFIG'];
  const cluster = findCluster({ kubeconfig: kubeconfig === '' ? undefined : kubeconfig }, env);
  let told: Instant | undefined;
  const kubernetes = connect(cluster, {
    clock,
    // A write goes through the webhooks of the Machine API.
    requestTimeoutSeconds: 30,
    userAgent: 'phaseout-dead-man',
    onDate: (date) => (told = date),
  });
  try {
    const nows = () => [clock.now(), ...(told === undefined ? [] : [told])];
    return (await takeOver({ kubernetes, nows, log }, settings)) === 0 ? 0 : 1;
  } finally {
    await kubernetes.close();
  }
}
