import { type Pod, podName } from '../kubernetes/objects.ts';
import { compareBytes, sortedByBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
import { askEarlyFilters, type EarlyContext } from './filters.ts';
import { type RuleContext, ruleFilter, type Undecidable } from './rules.ts';
import type { PodVerdict, VerdictFailure } from './verdict.ts';

/** What is to be done with each Pod, or why that cannot be said. */
export type Judgement =
  | { kind: 'judged'; verdicts: PodVerdict[] }
  | { kind: 'failed'; failure: VerdictFailure };

export type PodContext = EarlyContext & RuleContext;

/** What the drain does with each Pod, in the order given. A single Pod that cannot be judged fails them all. */
export function judgePods(pods: readonly Pod[], context: PodContext): Judgement {
  const verdicts: PodVerdict[] = [];
  const failures: { pod: Pod; failed: Undecidable }[] = [];
  for (const pod of pods) {
    const answer = judge(pod, context);
    if ('kind' in answer) failures.push({ pod, failed: answer });
    else verdicts.push(answer);
  }
  if (failures.length === 0) return { kind: 'judged', verdicts };
  return { kind: 'failed', failure: failureOf(failures) };
}

function judge(pod: Pod, context: PodContext): PodVerdict | Undecidable {
  const early = askEarlyFilters(pod, context);
  const answer = early.decided ?? ruleFilter(pod, context);
  if (answer.kind === 'failed') return answer;
  const { behavior, order, decidedBy, warning, stays } = answer;
  const own = warning === undefined ? [] : [warning];
  // What an eviction would do to the Pod is of no interest where there is none.
  const warnings = behavior === 'Drain' ? [...early.warnings, ...own] : own;
  return { pod, behavior, order, decidedBy, warnings, ...(stays !== undefined && { stays }) };
}

function failureOf(failures: readonly { pod: Pod; failed: Undecidable }[]): VerdictFailure {
  const byMessage = Map.groupBy(failures, ({ failed }) => failed.message);
  const lines = [...byMessage]
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([message, those]) => {
      const names = sortedByBytes(those.map(({ pod }) => podName(pod)));
      return `Pods with error ${JSON.stringify(message)}: ${names.join(', ')}`;
    });
  const rule = failures.find(({ failed }) => failed.rule !== undefined)?.failed.rule;
  return {
    message: `failed to get Pods for eviction: ${aggregate(lines)}`,
    ...(rule !== undefined && { rule }),
  };
}
