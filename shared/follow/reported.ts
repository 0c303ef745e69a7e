import type { WatchedReport } from '../cache/machine-notes.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import { isPhase, phases } from '../machine/phase.ts';
import type { Environment } from '../runtime/environment.ts';
import type { HistoryEntry } from '../store/port.ts';
import { cut } from '../text/truncate.ts';
import type { Watched } from './watched.ts';

/** Who decides what is told of deletions that are only followed. */
const peer = "the API's own controller";

/** Of one entry: the store takes items of some hundred KiB. */
const longestMessage = 16_384;

/** What is known to be told: `nothing` where the deletion is new. */
export type Before = WatchedReport | 'nothing';

/** The store keeps it in the history, so that any instance can go on. This instance need not ask for its own entries. */
export async function reportedBefore(env: Environment, { uid }: MachineRef): Promise<Before> {
  const noted = env.cache.notes(uid).watched;
  return noted === undefined ? reportIn(await env.store.history(uid)) : noted.told;
}

/** Entries of other modes tell that it has begun, and where it was. */
function reportIn(history: readonly HistoryEntry[]): Before {
  const last = history.at(-1);
  if (last === undefined || !isPhase(last.phase)) return 'nothing';
  const { phase } = last;
  const first = history[history.findLastIndex((entry) => entry.phase !== phase) + 1] ?? last;
  return { phase, since: first.at, holds: last.what === 'waited' && last.by === peer ? last.message : '' };
}

type Entry = Pick<HistoryEntry, 'what' | 'reason' | 'message'>;

/** Where entries of this look come among all others: a checkpoint that phaseout has left counts further than none. */
export const seqOf = (machine: Machine): number => usableCheckpoint(machine, phases)?.seq ?? 0;

/** A repeat is the same entry, from any instance. A wait alone is told apart by what is seen beside the Machine. */
export async function remember(
  env: Environment,
  { machine, seq }: { machine: Machine; seq: number },
  { phase }: Pick<Watched, 'phase'>,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const at = env.clock.now();
  const node = machine.nodeName !== undefined && { node: machine.nodeName };
  const idOf = (what: Entry['what']): string => {
    if (what === 'started') return `${numbered(seq)}-0-started`;
    const id = `${numbered(seq)}-${machine.resourceVersion}-${phase}-${what}`;
    return what === 'waited' ? `${id}-${at}` : id;
  };
  await env.store.appendHistory(
    machine.ref,
    entries.map((entry) => ({
      ...entry,
      message: cut(entry.message, longestMessage),
      phase,
      id: idOf(entry.what),
      at,
      by: peer,
      ...node,
    })),
  );
}

/** The first entry. It may be written again: the store may have lost it. */
export const beginningOf = ({ deletedAt }: Pick<Watched, 'deletedAt'>): Entry => ({
  what: 'started',
  reason: 'Deleting',
  message: `Deletion requested at ${deletedAt}: the API's own controller carries it on`,
});

/** The last entry of a Machine that is gone. */
async function rememberEnd(
  env: Environment,
  ref: MachineRef,
  history: readonly HistoryEntry[],
  message: string,
): Promise<void> {
  const [seq = numbered(0)] = history.at(-1)?.id.split('-') ?? [];
  const what = 'completed';
  const entry = { what, reason: 'DeletionCompleted', message } as const;
  // Letters come after all numbers.
  const id = `${seq}-gone-${what}`;
  await env.store.appendHistory(ref, [{ ...entry, phase: 'finalize', id, at: env.clock.now(), by: peer }]);
}

const numbered = (seq: number): string => String(seq).padStart(6, '0');

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
