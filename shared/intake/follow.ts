import { notOwnNode } from '../assess/not-own-node.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { ownerReason } from '../dialects/own-node-condition.ts';
import { readOr } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { PhaseExit } from '../machine/reason.ts';
import { warning } from '../machine/report.ts';
import { isOurs, knownDialect } from '../read/machine.ts';
import { lateBeforeTheEnd } from '../read/pre-terminate-hooks.ts';
import type { Environment } from '../runtime/environment.ts';
import { writeEvents } from '../write/events.ts';

/** A deletion that the API's own controller carries on, or began without us. */
interface Followed {
  machine: Machine;
  dialect: Dialect;
  /** Of the checkpoint that we left; 0 where there is none. */
  seq: number;
  /** Where it stood when our last hook went. */
  phase: Phase;
  /** It began before our hook was on the Machine. */
  isLate: boolean;
}

/**
 * What an event says of a deletion that is not ours, or not any more. It goes to facts and the history. Undefined where the
 * Machine is none of these. An event is enough for that: nothing is done by it. Only whose its Node is is read, once.
 */
export async function follow(env: Environment, object: KubeObject): Promise<readonly Fact[] | undefined> {
  const followed = followedOf(env, object);
  if (followed === undefined) return undefined;
  if (env.cache.notes(followed.machine.ref.uid).isEndTold === true) return [];
  const late = followed.isLate ? await reportLate(env, followed) : [];
  return [...late, ...(await reportStage(env, followed))];
}

/** The Machine is gone: the end of a deletion that was followed. */
export async function followToEnd(env: Environment, object: KubeObject): Promise<readonly Fact[]> {
  const followed = followedOf(env, object);
  if (followed === undefined || env.cache.notes(followed.machine.ref.uid).isEndTold === true) return [];
  const { machine, dialect, seq } = followed;
  const { ref, deletionTimestamp = env.clock.now() } = machine;
  const labels = { machine_api: dialect.name };
  env.metrics.count('deletionsCompleted', labels);
  env.metrics.observe('deletionSeconds', labels, (env.clock.now() - deletionTimestamp) / 1_000);
  const message = "Deletion completed by the API's own controller";
  await remember(env, followed, 'finalize', { what: 'completed', reason: 'DeletionCompleted', message });
  env.cache.note(ref.uid, { isEndTold: true });
  return [{ kind: 'completed', machine: ref, phase: 'finalize', seq }];
}

function followedOf(env: Environment, object: KubeObject): Followed | undefined {
  const dialect = knownDialect(env, object.apiVersion ?? '');
  if (dialect?.beside === undefined || object.metadata.deletionTimestamp === undefined) return undefined;
  const machine = dialect.read(object);
  if (dialect.hold.isOn(machine) || !isOurs(env, machine, dialect)) return undefined;
  const saved = usableCheckpoint(machine, dialect.phases);
  if (saved?.released !== undefined)
    return { machine, dialect, seq: saved.seq, phase: saved.phase, isLate: false };
  const late = { machine, dialect, seq: 0, isLate: true };
  // In that controller's place phaseout may have come further without a hook.
  if (saved?.phase === 'pre-terminate' && dialect.beside.isLate(machine, 'PreTerminate'))
    return { ...late, phase: 'pre-terminate' };
  return saved === undefined && dialect.beside.isLate(machine, 'PreDrain')
    ? { ...late, phase: 'pre-drain' }
    : undefined;
}

/** A hook of ours that a deletion began without. */
interface HookLate {
  phase: 'pre-drain' | 'pre-terminate';
  message: string;
}

/** Once from this instance; the Event has the same name each time. */
async function reportLate(env: Environment, { machine, dialect, seq, phase }: Followed): Promise<Fact[]> {
  const { uid } = machine.ref;
  if (env.cache.notes(uid).stage !== undefined) return [];
  const message = `its deletion began before ${dialect.hold.name} was on it: its own controller drains it`;
  const about = { machine, checkpoint: { seq } };
  const unasked = await lateBeforeTheEnd(env, machine, dialect);
  const late: HookLate[] = [
    ...(phase === 'pre-drain' ? [{ phase, message }] : []),
    ...(unasked === undefined ? [] : [{ phase: 'pre-terminate' as const, message: unasked }]),
  ];
  for (const each of late) env.log.warn('Hook is late', { why: each.message });
  await writeEvents(
    env,
    about,
    late.map((each) => warning('HookLate', each.message)),
  );
  await reportNotOwnNode(env, about, dialect);
  return late.map((each) => ({ kind: 'hook-late', machine: machine.ref, seq, ...each }));
}

/** No hook holds a Machine that names the Node of another server: that it will go is told at once. */
async function reportNotOwnNode(
  env: Environment,
  told: { machine: Machine; checkpoint: { seq: number } },
  dialect: Dialect,
): Promise<void> {
  const notOwn = await readOr(undefined, () => notOwnNode(env, told.machine, dialect));
  if (notOwn === undefined) return;
  env.log.warn("API's own controller deletes a Node that is not known to be the Machine's own", {
    why: notOwn.why,
  });
  await writeEvents(env, told, [warning(ownerReason[notOwn.kind], notOwn.why)]);
}

async function reportStage(env: Environment, followed: Followed): Promise<Fact[]> {
  const { machine, dialect, seq } = followed;
  const { uid } = machine.ref;
  const stage = dialect.beside?.stage(machine);
  const before = env.cache.notes(uid).stage ?? followed.phase;
  env.cache.note(uid, { stage: stage?.phase ?? before });
  if (stage === undefined || stage.phase === before) return [];
  const as: PhaseExit = isBefore(stage.phase, before) ? 'returned' : 'done';
  const { message } = stage;
  env.metrics.count('phasesPassed', { machine_api: dialect.name, phase: before, outcome: as });
  await remember(env, followed, stage.phase, { what: 'advanced', reason: as, message });
  return [
    {
      kind: 'advanced',
      machine: machine.ref,
      phase: stage.phase,
      seq,
      from: before,
      as,
      message,
      isFollowed: true,
    },
  ];
}

/** A repeat of the same event is the same entry, from whatever instance. */
async function remember(
  env: Environment,
  { machine, seq }: Followed,
  phase: string,
  entry: { what: 'advanced' | 'completed'; reason: string; message: string },
): Promise<void> {
  const id = `${String(seq).padStart(6, '0')}-${machine.resourceVersion}-${phase}-${entry.what}`;
  const node = machine.nodeName !== undefined && { node: machine.nodeName };
  await env.store.appendHistory(machine.ref, [
    { ...entry, phase, id, at: env.clock.now(), by: "the API's own controller", ...node },
  ]);
}
