import { conditionsFrom } from '../dialects/conditions.ts';
import { recordAt } from '../dialects/fields.ts';
import type { Condition, KubeObject } from '../kubernetes/objects.ts';

const shownConditions = 3;

/** Its own conditions that say more than that all is well, and its finalizers. */
export function saidBy({ metadata, status }: KubeObject): string[] {
  const all = [
    ...conditionsFrom(recordAt(status, 'v1beta2')['conditions']),
    ...conditionsFrom(recordAt(status)['conditions']),
  ];
  const telling = [...new Map(all.map((each) => [each.type, each])).values()].filter(isTelling);
  const finalizers = (metadata.finalizers ?? []).filter((name) => !isStandIn(name));
  return [
    ...telling.slice(0, shownConditions).map(sayCondition),
    ...(finalizers.length === 0 ? [] : [`its finalizers: ${finalizers.join(', ')}`]),
  ];
}

/** The local platform plays a provider with a finalizer of its own: no provider keeps the object by that. */
const isStandIn = (finalizer: string): boolean => finalizer.endsWith('.local.phaseout.dev');

const isTelling = ({ type, status, message = '' }: Condition): boolean =>
  type === 'Deleting' || status === 'False' || (status !== 'True' && message !== '');

const sayCondition = ({ type, status, reason = '', message = '' }: Condition): string =>
  [`${type} ${status}`, reason, message].filter((part) => part !== '').join(': ');
