import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { PodRecord } from '../../drain/pod-record.ts';
import type { RefusalCause } from '../../kubernetes/client.ts';
import { type Item, map, message, numberOf, text, textOf } from './attributes.ts';
import { podPrefix } from './keys.ts';

type Refusal = NonNullable<PodRecord['lastRefusal']>;

/** Each cause has a counter of its own beside the others: DynamoDB adds to a number in a map only if the map is there. */
export const refusalCountName = (cause: RefusalCause): string => `refused${cause}`;

export const toRefusalAttribute = (refusal: Refusal): AttributeValue =>
  map({
    cause: text(refusal.cause),
    text: message(refusal.text),
    ...(refusal.budget === undefined ? {} : { budget: text(refusal.budget) }),
  });

/** Undefined for an item that is not a Pod's record as this version writes them. */
export function fromPodItem(item: Item): PodRecord | undefined {
  const podUid = textOf(item['sk'])?.slice(podPrefix.length);
  const attempts = numberOf(item['attempts']);
  const firstAttempt = numberOf(item['firstAttempt']);
  const lastAttempt = numberOf(item['lastAttempt']);
  const outcome = outcomes.find((known) => known === textOf(item['outcome']));
  if (podUid === undefined || attempts === undefined || outcome === undefined) return undefined;
  if (firstAttempt === undefined || lastAttempt === undefined) return undefined;
  return {
    podUid,
    namespace: textOf(item['podNamespace']) ?? '',
    name: textOf(item['podName']) ?? '',
    attempts,
    refusals: refusalsOf(item),
    firstAttempt,
    lastAttempt,
    outcome,
    ...lastRefusalOf(item),
    ...notBeforeOf(item),
  };
}

const outcomes = ['accepted', 'gone', 'refused'] as const satisfies PodRecord['outcome'][];

function refusalsOf(item: Item): PodRecord['refusals'] {
  const refusals: PodRecord['refusals'] = {};
  for (const cause of refusalCauses) {
    const count = numberOf(item[refusalCountName(cause)]);
    if (count !== undefined) refusals[cause] = count;
  }
  return refusals;
}

function lastRefusalOf(item: Item): { lastRefusal?: Refusal } {
  const attributes = item['lastRefusal']?.M;
  if (attributes === undefined) return {};
  const cause = refusalCauses.find((known) => known === textOf(attributes['cause'])) ?? 'Failed';
  const budget = textOf(attributes['budget']);
  const refusal = { cause, text: textOf(attributes['text']) ?? '' };
  return { lastRefusal: budget === undefined ? refusal : { ...refusal, budget } };
}

function notBeforeOf(item: Item): { notBefore?: number } {
  const notBefore = numberOf(item['notBefore']);
  return notBefore === undefined ? {} : { notBefore };
}

// A record and not a list, so that a cause added to the type cannot be forgotten here.
const causes: Record<RefusalCause, true> = {
  BudgetExhausted: true,
  BudgetNeverAllows: true,
  BudgetHeldByOperator: true,
  BudgetNotObserved: true,
  MultipleBudgets: true,
  NamespaceTerminating: true,
  Throttled: true,
  NotAttempted: true,
  Failed: true,
};

const isRefusalCause = (name: string): name is RefusalCause => Object.hasOwn(causes, name);
const refusalCauses = Object.keys(causes).filter(isRefusalCause);
