import type { Blueprint } from './blueprint.ts';
import type { Scenario } from './model.ts';

/** What there is, who does what when, and how phaseout runs, as data. */
export interface Plan {
  blueprint: Blueprint;
  world: Scenario['world'];
  calmAt: number;
  /** When all instances end, for so long that the hook watchdog acts. */
  goneAt?: number;
  /** Where it may rest: whether the tick that asks for what is due goes when phaseout begins. */
  doesTickGoFirst?: boolean;
}
