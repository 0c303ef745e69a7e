import type { Instant } from '../../../shared/time/clock.ts';
import type { Found } from './found.ts';

/** One history with times that people read. */
export const asJson = ({ machine, entries, pods }: Found): object => ({
  machine,
  entries: entries.map(({ at, ...entry }) => ({ at: timestamp(at), ...entry })),
  pods: pods.map(({ firstAttempt, lastAttempt, notBefore, ...pod }) => ({
    ...pod,
    firstAttempt: timestamp(firstAttempt),
    lastAttempt: timestamp(lastAttempt),
    ...(notBefore !== undefined && { notBefore: timestamp(notBefore) }),
  })),
});

const timestamp = (at: Instant): string => new Date(at).toISOString();
