import { planDeletion } from '../../../shared/plan/plan-deletion.ts';
import { servedMachineVersion } from '../../local/declared-functions.ts';
import { readPlanOptions } from '../options.ts';
import type { Outside } from '../outside.ts';
import { paintFor } from '../paint.ts';
import { machineResourceOf, noSuchMachine } from '../targets.ts';
import { openLooker } from './looker.ts';
import { reportLines } from './report.ts';

/** `phaseout plan`. Resolves with the exit code; throws what main knows how to say. */
export async function plan(args: readonly string[], outside: Outside): Promise<number> {
  const { source, machine, json } = readPlanOptions(args);
  await using closing = new AsyncDisposableStack();
  const { environment, url, notes } = await openLooker(source, outside, closing);
  const { management } = environment;
  const apiVersion = `cluster.x-k8s.io/${await servedMachineVersion(management, url)}`;
  const planned = await planDeletion(environment, { apiVersion, ...machine });
  if (planned === undefined) throw await noSuchMachine(management, machineResourceOf(apiVersion), machine);
  const lines = json
    ? [JSON.stringify(planned)]
    : reportLines(planned, notes, paintFor(outside.stdout, outside));
  outside.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
