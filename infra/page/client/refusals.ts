import { type ComponentChildren, h } from 'preact';
import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { Section } from './parts/section.ts';

/** The evictions that would be refused now, with the budget and its numbers. */
export const Refusals = ({ plan }: { plan: DeletionPlan }): ComponentChildren =>
  plan.refusals.length === 0
    ? null
    : h(
        Section,
        { title: 'Evictions that would be refused now' },
        plan.refusals.map((each) => item(each)),
      );

/** Those of later batches that will be. */
export const RefusalsAhead = ({ plan: { refusalsAhead = [] } }: { plan: DeletionPlan }): ComponentChildren =>
  refusalsAhead.length === 0
    ? null
    : h(
        Section,
        { title: 'Evictions of later batches that will be refused' },
        refusalsAhead.map((each) => item(each, ` in batch ${each.batch}`)),
      );

const item = ({ pod, cause, budget, message, explanation }: PlannedRefusal, when = ''): ComponentChildren =>
  h(
    'div',
    { key: pod, class: 'item' },
    h('h3', null, pod),
    h(
      'p',
      { class: 'reason' },
      `${budget === undefined ? cause : `${cause} by PodDisruptionBudget ${budget}`}${when}`,
    ),
    h(Message, { text: message }),
    explanation === undefined ? null : h(Message, { text: explanation }),
  );
