import { withEviction } from '../drain/pod-record.ts';
import { podName, uidOf } from '../kubernetes/objects.ts';
import type { Decision } from '../phase/decision.ts';
import { recordDecision } from './journal.ts';
import type { Step } from './step.ts';

/**
 * Tells and records evictions of an instance that was killed before it could. Those made since this instance began are
 * left to their own instance, which may be about to record them.
 */
export async function recordEarlierEvictions(
  { env, arrived, snapshot, journal }: Step,
  decision: Decision,
): Promise<void> {
  if (decision.kind !== 'act' && decision.kind !== 'wait') return;
  const evictions = (decision.unrecorded ?? []).filter(({ at }) => at < env.bornAt);
  if (evictions.length === 0) return;
  const known = evictions.map(({ pod: { metadata }, at }) => {
    const { namespace = '', name, uid: podUid = '' } = metadata;
    return { podUid, namespace, name, at, outcome: 'accepted' as const };
  });
  const records = await snapshot.podRecords();
  snapshot.recordPods(known.map((eviction) => withEviction(records.get(eviction.podUid), eviction)));
  const { machine, checkpoint } = arrived.subject;
  await env.store.recordEvictions(machine.ref, known);
  const names = evictions.map(({ pod }) => podName(pod)).join(', ');
  const message = `Evicted before this instance began, and not recorded: ${names}`;
  recordDecision(journal, checkpoint, { what: 'acted', reason: decision.report.reason, message });
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  for (const { pod } of evictions) {
    const { namespace = '', name } = pod.metadata;
    journal.facts.push({
      ...about,
      kind: 'pod-evicted',
      pod: { namespace, name, uid: uidOf(pod) },
    });
  }
}
