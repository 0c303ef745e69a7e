import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { findMachine, labelOf } from '../fleet.ts';
import { assessMachine } from '../look/assess-machine.ts';
import { openLooker } from '../look/looker.ts';
import { readLookAtOne } from '../look/options.ts';
import { reportLines } from './report.ts';

/** `phaseout plan`. Resolves with the exit code; throws what main knows how to say. */
export async function plan(args: readonly string[], outside: Outside): Promise<number> {
  const { source, machine, json } = readLookAtOne(args, {
    command: 'plan',
    otherwise: outside.isPlugin === true ? 'cluster' : 'example',
  });
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, machine, goesOnWithout: 'forbidden' }, outside, closing);
  const { environment, url, notes, unread } = looker;
  const { management, dialects } = environment;
  const machineApis = await servedMachineApis(management, url, dialects);
  const fleet = { kubernetes: management, machineApis };
  const target = await findMachine(fleet, machine);
  const { api, namespace, name } = target;
  const raw = await management.get(api.resource, { namespace, name });
  const found = raw && (await assessMachine(looker, raw));
  const label = labelOf(fleet, target);
  if (found === undefined) throw new CannotDo(`Machine ${label} went while it was looked at`);
  const { plan: planned } = found;
  const lines = json
    ? [JSON.stringify({ ...planned, notes, unread: unread() })]
    : reportLines(planned, { label, notes, unread: unread() }, paintFor(outside.stdout, outside));
  outside.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
