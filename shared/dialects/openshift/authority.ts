import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { textAt } from '../fields.ts';

/**
 * Which API rules the Machine, while it can be moved to Cluster API; undefined where that cannot be. A status that
 * has not been written yet is going to say what the spec says.
 */
export const authorityOf = ({ raw }: Machine): string | undefined =>
  textAt(raw, 'status', 'authoritativeAPI') ?? textAt(raw, 'spec', 'authoritativeAPI');

export const isRuledHere = (authority: string): boolean => authority === 'MachineAPI';

/** Whether no other API rules it, and none is about to: a change of the spec is carried out a while later. */
export const isRuledHereToStay = ({ raw }: Machine): boolean =>
  [textAt(raw, 'status', 'authoritativeAPI'), textAt(raw, 'spec', 'authoritativeAPI')].every(
    (authority) => authority === undefined || isRuledHere(authority),
  );

/** The condition's message, for either answer. */
export const authorityMessage = (authority: string): string =>
  `The AuthoritativeAPI status is set to '${authority}'`;

/** The API, or the move to it, that rules a Machine in place of OpenShift's; undefined where that rules it itself. */
export function ruledElsewhereBy({ spec, status }: KubeObject): string | undefined {
  const authority = textAt(status, 'authoritativeAPI') ?? textAt(spec, 'authoritativeAPI');
  return authority === undefined || isRuledHere(authority) ? undefined : authority;
}

/** A Machine that Cluster API rules, or will, is nothing to act on here. */
export function pausedBy(machine: Machine): string[] {
  const authority = authorityOf(machine);
  return authority === undefined || isRuledHere(authority) ? [] : [authorityMessage(authority)];
}
