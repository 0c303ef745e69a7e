import { type ComponentChildren, h } from 'preact';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { Section } from './parts/section.ts';
import { Table } from './parts/table.ts';
import { duration } from './parts/times.ts';

interface HooksProps {
  plan: DeletionPlan;
  set: Readonly<Record<string, string>>;
  now: number;
}

/** What their owners have to take off: the Machine waits at their point. */
export const Hooks = ({ plan, set, now }: HooksProps): ComponentChildren => {
  if (plan.hooks.length === 0) return null;
  const age = (name: string): string => {
    const time = set[name];
    return time === undefined ? 'unknown' : `${duration(now - Date.parse(time))} at least`;
  };
  return h(
    Section,
    { title: 'Hooks that their owners have to remove' },
    h(Table, {
      caption: 'Hooks',
      heads: ['Hook', 'At', 'Owner', 'There for'],
      rows: plan.hooks.map(({ name, point, owner }) => [name, point, owner ?? 'unknown', age(name)]),
    }),
  );
};
