import type { PlannedPhase } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';

/**
 * Phases that nothing is known about, since what they depend on was not read or given. Those of one reason stand together.
 */
export function unreadCauses(phases: readonly PlannedPhase[]): Cause[] {
  const unknown = phases.filter(({ does }) => does === 'unknown');
  return [...Map.groupBy(unknown, ({ why }) => why)].map(([why, those]) => ({
    kind: 'unread',
    ...(those[0] !== undefined && { phase: those[0].phase }),
    what: `what holds ${those.map(({ phase }) => phase).join(', ')} is unknown: ${why}`,
    details: [],
    endsByItself: 'unknown',
    why: 'what decides was not read',
  }));
}
