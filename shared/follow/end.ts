import type { Dialect } from '../dialects/dialect.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import type { Environment } from '../runtime/environment.ts';
import { rememberEnd } from './reported.ts';

/** A Machine that was watched is gone. Of what was never seen being deleted no end is told. */
export async function reportEnd(
  env: Environment,
  ref: MachineRef,
  dialect: Dialect,
): Promise<readonly Fact[]> {
  const { uid } = ref;
  // Another instance may have set a look since.
  await env.store.unschedule(uid);
  if (env.cache.isGone(uid)) return [];
  const history = await env.store.history(uid);
  const wasSeen = env.cache.notes(uid).watched !== undefined || history.length > 0;
  env.cache.rememberGone(uid);
  if (!wasSeen || history.some(({ what }) => what === 'completed')) return [];
  const labels = { machine_api: dialect.name };
  env.metrics.count('deletionsCompleted', labels);
  const began = history[0]?.at;
  if (began !== undefined) env.metrics.observe('deletionSeconds', labels, (env.clock.now() - began) / 1_000);
  await rememberEnd(env, ref, history, "Deletion completed by the API's own controller");
  env.log.info('Watched deletion is over');
  return [{ kind: 'completed', machine: ref, phase: 'finalize', seq: 0 }];
}
