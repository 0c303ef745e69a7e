import { planDeletion } from '../../../shared/plan/plan-deletion.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import { isNodeMissing } from '../../local/given/node.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { findMachine, labelOf } from '../fleet.ts';
import { openLooker } from '../look/looker.ts';
import { readLookAtOne } from '../look/options.ts';
import { withoutUnknown } from '../look/unknown-budgets.ts';
import { reportLines } from './report.ts';

/** `phaseout plan`. Resolves with the exit code; throws what main knows how to say. */
export async function plan(args: readonly string[], outside: Outside): Promise<number> {
  const { source, machine, json } = readLookAtOne(args, {
    command: 'plan',
    otherwise: outside.isPlugin === true ? 'cluster' : 'example',
  });
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, machine, goesOnWithout: 'forbidden' }, outside, closing);
  const { environment, url, notes, given, unknownBudgets, unread } = looker;
  const { management, dialects } = environment;
  const machineApis = await servedMachineApis(management, url, dialects);
  const fleet = { kubernetes: management, machineApis };
  const target = await findMachine(fleet, machine);
  const { api, namespace, name } = target;
  const ref = { apiVersion: api.apiVersion, namespace, name };
  const unknown = { isNodeMissing: given !== undefined && isNodeMissing(ref, given) };
  const found = await planDeletion(environment, ref, unknown);
  const label = labelOf(fleet, target);
  if (found === undefined) throw new CannotDo(`Machine ${label} went while it was looked at`);
  const planned = withoutUnknown(found, unknownBudgets);
  const lines = json
    ? [JSON.stringify({ ...planned, notes, unread: unread() })]
    : reportLines(planned, { label, notes, unread: unread() }, paintFor(outside.stdout, outside));
  outside.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
