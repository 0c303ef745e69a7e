import { explain as explainSeen } from '../../../shared/explain/explain.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { findMachine, labelOf } from '../fleet.ts';
import { openLooker } from '../look/looker.ts';
import { readLookAtOne } from '../look/options.ts';
import { gather } from './gather.ts';
import { reportLines } from './report.ts';

/** `phaseout explain`. Resolves with the exit code; throws what main knows how to say. */
export async function explain(args: readonly string[], outside: Outside): Promise<number> {
  const { source, machine, json } = readLookAtOne(args, { command: 'explain', otherwise: 'cluster' });
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, machine, goesOnWithout: 'unavailable' }, outside, closing);
  const { environment, url, notes } = looker;
  const kubernetes = environment.management;
  const fleet = { kubernetes, machineApis: await servedMachineApis(kubernetes, url) };
  const target = await findMachine(fleet, machine);
  const { api, namespace, name } = target;
  const label = labelOf(fleet, target);
  const raw = await kubernetes.get(api.resource, { namespace, name });
  const seen = raw && (await gather({ looker, source, raw }));
  if (seen === undefined) throw new CannotDo(`Machine ${label} went while it was looked at`);
  const explanation = explainSeen(seen);
  const lines = json
    ? [JSON.stringify({ ...explanation, notes })]
    : reportLines(explanation, { label, notes, now: seen.now }, paintFor(outside.stdout, outside));
  outside.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes[explanation.verdict];
}

/** Scripts go by these: they stay. */
const exitCodes: Readonly<Record<Explanation['verdict'], number>> = {
  goes: 0,
  alive: 0,
  held: 4,
  unknown: 5,
};
