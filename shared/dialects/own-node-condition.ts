import { type ConditionList, find, type Saying } from './conditions.ts';
import type { StatusInput, Whose } from './status-input.ts';

/** Our own: no Machine API has a condition for a Node that is not the Machine's. */
const type = 'phaseout.dev/OwnNode';

/** The one reason for a Node that belongs to another server, in the condition and in the Event. */
export const nodeOfAnotherServer = 'NodeOfAnotherServer';

/** What the condition says; undefined where there is nothing to say, or this look does not know. */
export function ownNodeSaying({ whose }: Pick<StatusInput, 'whose'>): Saying | undefined {
  if (whose === undefined || whose.kind === 'own') return undefined;
  const { kind, why: message } = whose;
  return kind === 'another'
    ? { type, status: 'False', reason: nodeOfAnotherServer, severity: 'Warning', message }
    : { type, status: 'Unknown', reason: 'NodeUnknown', severity: 'Warning', message };
}

/** The condition goes once the Node is known to be the Machine's own. */
export const withoutOwnNode = (list: ConditionList, { whose }: Pick<StatusInput, 'whose'>): ConditionList =>
  whose?.kind === 'own' ? list.filter((each) => each.type !== type) : list;

/** Whether the conditions say just that. */
export function isOwnNodeSaid(list: ConditionList, whose: Whose): boolean {
  const saying = ownNodeSaying({ whose });
  const said = find(list, type);
  return said?.reason === saying?.reason && said?.message === saying?.message;
}
