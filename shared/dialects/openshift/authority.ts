import type { Machine } from '../../machine/machine.ts';
import { textAt } from '../fields.ts';

/**
 * Which API rules the Machine, while it can be moved to Cluster API; undefined where that cannot be. A status that
 * has not been written yet is going to say what the spec says.
 */
export const authorityOf = ({ raw }: Machine): string | undefined =>
  textAt(raw, 'status', 'authoritativeAPI') ?? textAt(raw, 'spec', 'authoritativeAPI');

export const isRuledHere = (authority: string): boolean => authority === 'MachineAPI';

/** The condition's message, for either answer. */
export const authorityMessage = (authority: string): string =>
  `The AuthoritativeAPI status is set to '${authority}'`;

/** A Machine that Cluster API rules, or will, is nothing to act on here. */
export function pausedBy(machine: Machine): string[] {
  const authority = authorityOf(machine);
  return authority === undefined || isRuledHere(authority) ? [] : [authorityMessage(authority)];
}
