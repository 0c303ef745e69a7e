import type { Fact } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { attributes, digest, timestamp, toData } from './machine.ts';
import type { FactEvent } from './types.ts';

/** What has become true, as an event for anyone who listens. */
export function factEvent(fact: Fact, time: Instant): FactEvent {
  /** `told`: what tells apart the facts of one kind at one checkpoint. */
  const eventOf = <T extends string, E extends object, D extends object>(
    type: T,
    extensions: E,
    data: D,
    ...told: string[]
  ) => ({
    ...attributes(fact, fact.kind, ...told),
    type,
    time: timestamp(time),
    ...extensions,
    data: { ...toData(fact), ...data },
  });

  switch (fact.kind) {
    case 'started':
      return eventOf('dev.phaseout.deletion.started.v1', {}, {});
    case 'advanced': {
      const { from, as, message, phase, isFollowed } = fact;
      // No checkpoint counts what others do: what they come to tells one from the next.
      const told = isFollowed ? [digest(from, as, message)] : [];
      return eventOf('dev.phaseout.deletion.advanced.v1', {}, { from, to: phase, as, message }, ...told);
    }
    case 'blocked': {
      const { reason, message } = fact;
      const told = digest(reason, message);
      return eventOf('dev.phaseout.deletion.blocked.v1', { reason }, { reason, message }, told);
    }
    case 'failed': {
      const { reason, message, error } = fact;
      const told = digest(reason, message, error);
      return eventOf('dev.phaseout.deletion.failed.v1', { reason }, { reason, message, error }, told);
    }
    case 'completed':
      return eventOf('dev.phaseout.deletion.completed.v1', {}, {});
    case 'hook-waiting': {
      const { data, told } = hooksOf(fact);
      return eventOf('dev.phaseout.hook.waiting.v1', {}, data, told);
    }
    case 'hook-late':
      return eventOf('dev.phaseout.hook.late.v1', {}, { message: fact.message }, digest(fact.message));
    case 'hook-ended': {
      const { hook, place, as, message } = fact;
      const told = digest(hook, place, as, message);
      return eventOf('dev.phaseout.hook.ended.v1', { hook }, { hook, place, as, message }, told);
    }
    case 'pod-evicted': {
      const pod = podOf(fact);
      return eventOf('dev.phaseout.pod.evicted.v1', {}, { pod }, pod.uid);
    }
    case 'pod-refused': {
      const { cause, text, budget = '', pod } = fact;
      const told = [pod.uid, digest(cause, text, budget)];
      return eventOf('dev.phaseout.pod.refused.v1', { cause }, refusedOf(fact), ...told);
    }
    case 'pod-unblocked': {
      const { cause, action, message, pod } = fact;
      // Two instances that both delete it may know different times.
      const told = [pod.uid, action, digest(message)];
      return eventOf('dev.phaseout.pod.unblocked.v1', { cause }, unblockedOf(fact), ...told);
    }
    default:
      return fact satisfies never;
  }
}

/** One event for each set of hooks and owners that the deletion waits for. The order of the list does not matter. */
function hooksOf({ point, owners, ...fact }: Fact & { kind: 'hook-waiting' }) {
  const hooks = fact.hooks.toSorted();
  const owned = hooks.flatMap((name) => {
    const owner = owners[name];
    return owner === undefined ? [] : [[name, owner] as const];
  });
  const data = { point, hooks, ...(owned.length > 0 && { owners: Object.fromEntries(owned) }) };
  return { data, told: digest(point, ...hooks, ...owned.flat()) };
}

function refusedOf(fact: Fact & { kind: 'pod-refused' }) {
  const { cause, text, budget, explanation } = fact;
  return {
    pod: podOf(fact),
    cause,
    message: text,
    ...(budget === undefined ? {} : { budget }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}

function unblockedOf(fact: Fact & { kind: 'pod-unblocked' }) {
  const { action, policy, cause, since, message, deployment } = fact;
  const more = { action, policy, cause, since, message };
  return { pod: podOf(fact), ...more, ...(deployment !== undefined && { deployment }) };
}

/** Copies only what the contract names. */
const podOf = ({
  pod: { namespace, name, uid },
}: Fact & { kind: 'pod-evicted' | 'pod-refused' | 'pod-unblocked' }) => ({
  namespace,
  name,
  uid,
});
