import { mustBeCorrected, policyIn } from '../../policies/words.ts';
import type { Cause, CauseObject } from '../explanation.ts';
import type { Seen } from '../seen.ts';

/** The DrainPolicy that lets the Machine not begin, or would not. */
export function policyCauses({ plan, standing, machine }: Seen): Cause[] {
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
      ...objectOf(what, machine.ref.namespace),
      details: [],
      endsByItself: isWrong ? 'no' : 'yes',
      why: isWrong
        ? 'somebody has to correct the DrainPolicy'
        : 'it begins when a window opens, or when those that have begun are gone. A stuck one keeps its place',
    },
  ];
}

function objectOf(message: string, namespace: string): { object?: CauseObject } {
  const name = policyIn(message);
  const resource = 'drainpolicies.phaseout.dev';
  return name === undefined
    ? {}
    : { object: { side: 'management', resource, kind: 'DrainPolicy', namespace, name } };
}
