import type { KubeObject } from '../kubernetes/objects.ts';
import type { Phase } from '../machine/phase.ts';
import { conditionsIn, find } from './conditions.ts';

/** OpenShift's Machines say what holds up a phase in a condition of its own. */
const conditionOf: Partial<Record<Phase, string>> = {
  'pre-drain': 'Drainable',
  drain: 'Drained',
  'pre-terminate': 'Terminable',
};

/**
 * The reason that a Machine shows for where its deletion stands, in its API's words. Empty where it shows none. Anybody may
 * write conditions: what is no reason's name is none.
 */
export function shownReason({ status }: KubeObject, phase: Phase): string {
  const shown = conditionsIn(status);
  const messageOf = (type: string, value: string): string | undefined => {
    const condition = find(shown, type);
    return condition?.status === value ? condition.reason : undefined;
  };
  if (messageOf('Paused', 'True') !== undefined) return 'Paused';
  const reason = messageOf('Deleting', 'True') ?? messageOf(conditionOf[phase] ?? '', 'False') ?? '';
  return /^[A-Za-z]{1,64}$/.test(reason) ? reason : '';
}
