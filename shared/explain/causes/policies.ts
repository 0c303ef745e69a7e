import { mustBeCorrected } from '../actor.ts';
import type { Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';

/** The DrainPolicy that lets the Machine not begin, or would not. */
export function policyCauses({ plan, standing }: Seen): Cause[] {
  const planned = plan.phases.find(({ phase, reason }) => phase === 'pre-drain' && reason !== undefined);
  const isShown = standing?.waitsFor.reason === 'WaitingForDrainPolicy';
  const what = planned?.why ?? (isShown ? standing.waitsFor.message : undefined);
  if (what === undefined || (standing !== undefined && standing.phase !== 'pre-drain')) return [];
  const isWrong = mustBeCorrected(what);
  return [
    {
      kind: 'policy',
      phase: 'pre-drain',
      what,
      details: [],
      endsByItself: isWrong ? 'no' : 'yes',
      why: isWrong
        ? 'somebody has to correct the DrainPolicy'
        : 'it begins when a window opens, or when those that have begun are gone. A stuck one keeps its place',
    },
  ];
}
