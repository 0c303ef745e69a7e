import { exitCodeFor, fleetPlanOf } from '../../../../shared/explain/fleet/fleet-plan.ts';
import { servedMachineApis } from '../../../host/served-machine-apis.ts';
import { tellBeside } from '../../../terminal/beside.ts';
import { asData } from '../../../terminal/output.ts';
import type { Outside } from '../../../terminal/outside.ts';
import { paintFor } from '../../../terminal/paint.ts';
import { openLooker } from '../../look/looker.ts';
import { withNotes } from '../../look/with-notes.ts';
import type { PlanAsked } from '../options.ts';
import { judgeEach } from './judge-each.ts';
import { openProgress } from './progress.ts';
import { reportLines } from './report.ts';
import { selectSome } from './selected.ts';

/** `phaseout plan` of many Machines. Resolves with the exit code; throws what main knows how to say. */
export async function planMany(
  { source, selection, form }: PlanAsked & { kind: 'many' },
  first: readonly string[],
  outside: Outside,
): Promise<number> {
  const { namespace } = selection;
  // V8 takes half as much again for a fleet by itself. Most of what is read is soon dropped.
  outside.heap?.keepSmall();
  outside.heap?.makeRoom();
  await using closing = new AsyncDisposableStack();
  const look = { source, goesOnWithout: 'unavailable', many: { namespace } } as const;
  const looker = await openLooker(look, outside, closing);
  const { environment, url } = looker;
  const { management, dialects } = environment;
  const machineApis = await servedMachineApis(management, url, dialects);
  const fleet = { kubernetes: management, machineApis, isGiven: source.kind === 'manifests' };
  const { machines, isUnread } = await withNotes(selectSome(fleet, selection), looker.notes);
  const progress = openProgress(machines.length, outside);
  closing.defer(progress.close);
  const judged = await judgeEach(machines, { looker, source, judged: progress.add });
  progress.close();
  const plan = fleetPlanOf(judged);
  const notes = [...first, ...looker.notes];
  const unread = looker.unread();
  const data = asData(form, () => ({ ...plan, notes, unread }));
  if (data === undefined) tellBeside({ notes, unread }, outside);
  const lines = (): string[] =>
    reportLines(plan, { paint: paintFor(outside.stdout, outside), isWide: form === 'wide' });
  outside.stdout.write(data ?? `${lines().join('\n')}\n`);
  return isUnread ? 5 : exitCodeFor(plan);
}
