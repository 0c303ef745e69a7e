import { isDeepStrictEqual } from 'node:util';
import { judgeStatusWrite, rememberStatusWrite, type WantedStatus } from '../cache/ledger.ts';
import type { StatusInput } from '../dialects/status-input.ts';
import { isRecord } from '../kubernetes/objects.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { afterWrite, keyOf, type Saved } from './outcome.ts';

/**
 * The outcome of a status write, and whether it changed the Machine. `isOwed`: the status must change, but not so
 * soon after the last write.
 */
export type StatusSaved =
  | (Saved & { kind: 'saved'; changed: boolean; isOwed?: boolean })
  | Exclude<Saved, { kind: 'saved' }>;

/**
 * Writes the status, unless two instances would overwrite each other in a loop. Each write is news to both. They may
 * see different things: one cannot reach a cluster, or an error never has the same text. The next look tries again.
 */
export async function saveStatusCalmly(
  env: Environment,
  subject: Subject,
  input: StatusInput,
): Promise<StatusSaved> {
  const { machine } = subject;
  const wanted = wantedOf(subject, input);
  if (judgeStatusWrite(env.cache, machine.ref.uid, wanted) !== 'too-soon')
    return writeStatus(env, subject, wanted);
  const isOwed = changedFields(wanted.over, wanted.status) !== undefined;
  return { kind: 'saved', machine, changed: false, isOwed };
}

/** Writes the status, if it differs. Throws Unavailable. */
export const saveStatus = (env: Environment, subject: Subject, input: StatusInput): Promise<StatusSaved> =>
  writeStatus(env, subject, wantedOf(subject, input));

const wantedOf = ({ machine, dialect }: Subject, input: StatusInput): WantedStatus => ({
  status: dialect.status(input),
  over: machine.raw['status'],
  version: machine.resourceVersion,
  failure: input.report?.error === undefined ? undefined : input.report.reason,
});

/** Writes the difference between the status that is there and the wanted one, if there is any. */
async function writeStatus(
  env: Environment,
  { machine, dialect }: Subject,
  wanted: WantedStatus,
): Promise<StatusSaved> {
  const status = changedFields(wanted.over, wanted.status);
  const same = { kind: 'saved', machine, changed: false } as const;
  const { uid } = machine.ref;
  if (status === undefined || judgeStatusWrite(env.cache, uid, wanted) === 'in-vain') return same;
  const { resourceVersion } = machine;
  const patch = { metadata: { resourceVersion, uid }, status };
  const resource = machineResource(dialect, machine.ref);
  const age = env.clock.stopwatch();
  const outcome = await env.management.mergePatch(resource, keyOf(machine), patch, 'status');
  if (outcome.kind === 'refused') {
    // The deletion matters more than its status. It goes on, and the log has the refusal.
    env.log.warn('Status was refused', { why: outcome.message });
    rememberStatusWrite(env.cache, uid, wanted, 'refused');
    return same;
  }
  const after = afterWrite(env, { machine, dialect }, outcome, age);
  if (after.kind !== 'saved') return after;
  const changed = after.machine.resourceVersion !== resourceVersion;
  rememberStatusWrite(env.cache, uid, wanted, changed ? 'written' : 'no-op');
  return { ...after, changed };
}

/**
 * The JSON merge patch that makes `after` of `before`; undefined if there is nothing to change. A null in `after`
 * means absent, as in the patch.
 */
export function mergeDifference(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return isDeepStrictEqual(before, after) ? undefined : after;
  const patch: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const wanted = after[field] ?? undefined;
    const change = wanted === undefined ? removed(before[field]) : mergeDifference(before[field], wanted);
    if (change !== undefined) patch[field] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

const removed = (value: unknown): null | undefined => (value === undefined ? undefined : null);

/** As in a merge patch, a field that is no longer in an object must be removed by name. */
function changedFields(before: unknown, after: Record<string, unknown>): Record<string, unknown> | undefined {
  const known = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).flatMap(([field, value]) => {
    const was = known.get(field);
    // A provider's own fields may have nulls, which a merge patch would remove.
    const change = isDeepStrictEqual(was, value) ? undefined : mergeDifference(was, value);
    return change === undefined ? [] : [[field, change] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
