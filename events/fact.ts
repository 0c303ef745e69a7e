import type { Fact } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { advanced, blocked, completed, failed, started } from './deletion.ts';
import { hookLate, hookWaiting } from './hook.ts';
import { podEvicted, podRefused } from './pod.ts';
import type { FactEvent } from './types.ts';

/** What has become true, as an event for anyone who listens. */
export function factEvent(fact: Fact, time: Instant): FactEvent {
  switch (fact.kind) {
    case 'started':
      return started(fact, time);
    case 'advanced':
      return advanced(fact, time);
    case 'blocked':
      return blocked(fact, time);
    case 'failed':
      return failed(fact, time);
    case 'completed':
      return completed(fact, time);
    case 'hook-waiting':
      return hookWaiting(fact, time);
    case 'hook-late':
      return hookLate(fact, time);
    case 'pod-evicted':
      return podEvicted(fact, time);
    case 'pod-refused':
      return podRefused(fact, time);
    default:
      return fact satisfies never;
  }
}
