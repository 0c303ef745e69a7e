import type { CloudEvent } from './event.ts';

export type Reading =
  | { kind: 'event'; event: CloudEvent }
  /** Says it is an event and cannot be read as one. */
  | { kind: 'broken'; problem: string }
  /** Does not say it is an event. */
  | { kind: 'other' };
