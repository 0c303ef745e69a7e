import type { Instant } from '../time/clock.ts';
import type { Machine } from './machine.ts';

type Made = Pick<Machine, 'raw'>;

/** When the Machine was made, by the API server's clock and in whole seconds; the beginning of time where nobody knows. */
export const madeAt = ({ raw }: Made): Instant => Date.parse(String(raw.metadata.creationTimestamp)) || 0;

/**
 * Whether something is told (RFC 3339) of a time before the Machine was made. Whoever makes one again from a backup, with
 * the status that it had, gives it the starts and the ends of an earlier deletion, which was that of another server.
 */
export const isOfFormer = (machine: Made, time: string | undefined): boolean =>
  Date.parse(String(time)) < madeAt(machine);
