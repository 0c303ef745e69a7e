import { nodeRests, rememberNodeRest } from '../cache/cache.ts';
import { rememberHook } from '../cache/hook-records.ts';
import { askedOn, isPending } from '../hooks/asked.ts';
import type { Ended } from '../hooks/ends.ts';
import type { DueCall } from '../hooks/turn.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { HookCall } from '../machine/hook-call.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { Fact } from '../machine/messages.ts';
import type { Report } from '../machine/report.ts';
import { observeOwnNode } from '../observe/node.ts';
import type { Effect } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { callId, type HookTurn, tokenOf } from '../runtime/hook-token.ts';
import { currentTrace } from '../runtime/telemetry.ts';
import { saveHooks } from '../write/hooks.ts';
import { type EffectContext, recordDecision, type Step } from './step.ts';

/**
 * Writes down who is asked, and which turns have begun or ended, before anything is said of it. False if the Machine
 * has changed or gone meanwhile.
 */
export async function saveAsked(
  step: Step,
  { asked, ended }: Effect & { kind: 'save-hooks' },
  report: Report,
): Promise<boolean> {
  const { env, arrived, journal } = step;
  const { machine, checkpoint } = arrived.subject;
  const places = new Set(asked.map(({ place }) => place));
  const others = askedOn(machine).filter(({ place }) => !places.has(place));
  const saved = await saveHooks(env, arrived.subject, [...others, ...asked]);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  arrived.age = saved.age ?? arrived.age;
  env.log.info('Turns of hooks', { message: report.message });
  for (const end of ended) reportEnd(step, end, asked[0]?.place ?? 'PreDrain');
  if (asked.some(isPending)) recordDecision(journal, checkpoint, { what: 'acted', ...report });
  return true;
}

function reportEnd(
  { env, arrived, journal }: Step,
  { name, as, why }: Ended,
  place: HookCall['place'],
): void {
  const { machine, checkpoint, dialect } = arrived.subject;
  const { phase, seq } = checkpoint;
  const hook = `${machine.ref.namespace}/${name}`;
  env.metrics.count('hooksEnded', { machine_api: dialect.name, place, outcome: as });
  recordDecision(journal, checkpoint, { what: 'acted', reason: as, message: `DeletionHook ${name}: ${why}` });
  journal.facts.push({ kind: 'hook-ended', machine: machine.ref, phase, seq, hook, place, as, message: why });
}

/**
 * Asks the functions whose calls are due. A call that is repeated has the same ID. One that cannot be sent keeps no other from
 * being sent. Throws Unavailable.
 */
export async function callHooks(
  { calls }: Effect & { kind: 'call-hooks' },
  context: EffectContext,
): Promise<Fact[]> {
  const { hooks } = context.env;
  const key = await hooks?.key();
  if (key === undefined || hooks === undefined)
    throw new Unavailable('there is no key for the tokens of calls');
  const node = await nodeOf(context);
  const asked = await Promise.allSettled(
    calls.map(async (call) => {
      await hooks.send({ ...callOf(context, call, turnOf(context.subject, call), key), ...node });
      await recordCall(call, context);
    }),
  );
  const unasked = asked.find((each) => each.status === 'rejected');
  if (unasked !== undefined) throw unasked.reason;
  return [];
}

async function recordCall({ asked, begin }: DueCall, { env, subject }: EffectContext): Promise<void> {
  const { dialect, machine } = subject;
  env.metrics.count('hookCalls', { machine_api: dialect.name, place: asked.place });
  const record: HookRecord = { hook: asked.uid, begin, askedAt: env.clock.now() };
  rememberHook(env.cache, machine.ref.uid, record);
  await env.store.recordHook(machine.ref, record);
}

const turnOf = ({ machine, checkpoint }: Subject, { asked, begin }: DueCall): HookTurn => ({
  machine: machine.ref,
  hook: asked.uid,
  place: asked.place,
  begin,
  seq: checkpoint.seq,
});

function callOf(
  { env, subject: { machine } }: EffectContext,
  { asked, begin, attempt, deadline }: DueCall,
  turn: HookTurn,
  key: string,
): HookCall {
  const { ref, raw, providerId, clusterName } = machine;
  const labels = Object.fromEntries(
    (asked.labels ?? []).flatMap((name) => {
      const value = machine.labels[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return {
    id: callId(turn, attempt),
    hook: { namespace: ref.namespace, name: asked.name },
    answerTo: tokenOf(turn, key),
    place: asked.place,
    machine: {
      ...ref,
      kind: raw.kind ?? 'Machine',
      labels,
      ...(providerId !== undefined && { providerID: providerId }),
    },
    begins: begin,
    attempt,
    ...(clusterName !== undefined && { cluster: clusterName }),
    ...(deadline !== undefined && { deadline }),
    ...(asked.said?.message !== undefined && { lastMessage: asked.said.message }),
    ...currentTrace(env),
  };
}

/**
 * The Machine's own Node. One that cannot be read, or is not proven to be its own, is not told. An API that wants to be left alone
 * is not asked again before its time is over.
 */
async function nodeOf({ env, snapshot, subject }: EffectContext): Promise<Pick<HookCall, 'node'>> {
  const { uid: machineUid } = subject.machine.ref;
  if (nodeRests(env.cache, machineUid) !== undefined) return {};
  try {
    const own = await observeOwnNode(snapshot, subject);
    if (own.kind !== 'own') return {};
    const { name, uid = '' } = own.node.metadata;
    return { node: { name, uid } };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    rememberNodeRest(env.cache, machineUid, error);
    return {};
  }
}
