import type { Condition, KubeObject } from '../kubernetes/objects.ts';
import type { Reason } from '../machine/reason.ts';
import { type ConditionList, conditionsIn, find, type WantedCondition } from './conditions.ts';
import type { Ownership, StatusInput } from './status-input.ts';

/** Our own: no Machine API has a condition for a Node that is not the Machine's. */
const type = 'phaseout.dev/OwnNode';

/** The one reason for a Node that is not proven to be the Machine's own. The conditions and the Event have it. */
export const ownerReason = {
  another: 'NodeOfAnotherServer',
  unknown: 'NodeUnknown',
} as const satisfies Record<Exclude<Ownership['kind'], 'own'>, Reason>;

/** What the condition says; undefined where there is nothing to say, or this look does not know. */
export function wantedOwnNode({ ownership }: Pick<StatusInput, 'ownership'>): WantedCondition | undefined {
  if (ownership === undefined || ownership.kind === 'own') return undefined;
  const { kind, why: message } = ownership;
  const status = kind === 'another' ? 'False' : 'Unknown';
  return { type, status, reason: ownerReason[kind], severity: 'Warning', message };
}

/** The condition goes once the Node is known to be the Machine's own. */
export const withoutOwnNode = (
  list: ConditionList,
  { ownership }: Pick<StatusInput, 'ownership'>,
): ConditionList => (ownership?.kind === 'own' ? list.filter((each) => each.type !== type) : list);

/** What a Machine says of a Node that is not proven to be its own. Both Machine APIs use this form. */
export function shownOwnNode({ status }: KubeObject): Pick<Condition, 'reason' | 'message'> | undefined {
  return conditionsIn(status).find((each) => each.type === type && each.status !== 'True');
}

/** Whether a Machine says just that. */
export function isOwnNodeShown({ status }: KubeObject, ownership: Ownership): boolean {
  const wanted = wantedOwnNode({ ownership });
  const shown = find(conditionsIn(status), type);
  return shown?.reason === wanted?.reason && shown?.message === wanted?.message;
}
