import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Found } from './found.ts';

/** One history with times that people read. */
export const asJson = ({ machine, entries, pods }: Found): object => ({
  machine,
  entries: entries.map(({ at, ...entry }) => ({ at: timestamp(at), ...entry })),
  pods: pods.map(podAsJson),
});

/** One Pod's record with times that people read. */
export const podAsJson = ({ firstAttempt, lastAttempt, notBefore, ...pod }: PodRecord): object => ({
  ...pod,
  firstAttempt: timestamp(firstAttempt),
  lastAttempt: timestamp(lastAttempt),
  ...(notBefore !== undefined && { notBefore: timestamp(notBefore) }),
});

const timestamp = (at: Instant): string => new Date(at).toISOString();
