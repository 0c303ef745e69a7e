import { type ComponentChildren, h } from 'preact';
import { refusalAheadWords, refusalsOf, refusalWords, titles } from '../../../shared/explain/plan-words.ts';
import { meaningOf } from '../../../shared/explain/refusal-meaning.ts';
import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { sectionOf } from './parts/section.ts';

interface PlanProps {
  plan: DeletionPlan;
}

/** The evictions that would be refused now, with the budget and its numbers. */
export const Refusals = ({ plan }: PlanProps): ComponentChildren =>
  listed(titles.refusals, refusalsOf(plan).known, refusalWords);

/** Those of later batches that will be. */
export const RefusalsAhead = ({ plan: { refusalsAhead = [] } }: PlanProps): ComponentChildren =>
  listed(titles.refusalsAhead, refusalsAhead, refusalAheadWords);

/** Those whose budget nothing has computed. */
export const RefusalsUnknown = ({ plan }: PlanProps): ComponentChildren =>
  listed(titles.refusalsUnknown, refusalsOf(plan).unknown, refusalWords);

const listed = <T extends PlannedRefusal>(
  title: string,
  refusals: readonly T[],
  say: (refusal: T) => string,
): ComponentChildren =>
  sectionOf(title, refusals, () => refusals.map((refusal) => item(refusal, say(refusal))));

const item = (refusal: PlannedRefusal, words: string): ComponentChildren =>
  h(
    'div',
    { key: refusal.pod, class: 'item' },
    h('h3', null, refusal.pod),
    h('p', { class: 'reason' }, words),
    h(Message, { text: refusal.message }),
    h(Message, { text: refusal.explanation ?? '' }),
    h(Message, { text: meaningOf(refusal) }),
  );
