import { type ComponentChildren, h } from 'preact';
import type { DeletionPlan, PlannedPhase } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { Table } from './parts/table.ts';

const words: Record<PlannedPhase['does'], [Tone, string]> = {
  work: ['busy', 'works'],
  wait: ['held', 'waits'],
  pass: ['good', 'passes'],
  skip: ['plain', 'skips'],
  passed: ['good', 'passed'],
  unknown: ['held', 'unknown'],
};

/** What each phase would do, or has done. */
export const Phases = ({ plan }: { plan: DeletionPlan }): ComponentChildren =>
  h(Table, {
    caption: 'Phases',
    heads: ['Phase', 'Does', 'Why'],
    rows: plan.phases.map(({ phase, does, why }) => {
      const [tone, word] = words[does];
      return [h('b', { class: 'whole' }, phase), h(Pill, { tone }, word), h(Message, { text: why })];
    }),
  });
