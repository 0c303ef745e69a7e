import type { Plane } from './constants.ts';
import type { Mend } from './mends.ts';
import type { Scenario } from './pods.ts';

/** What one run plays. */
export interface Setting {
  scenario: Scenario;
  machines: number;
  /** On each Node. */
  pods: number;
  instances: number;
  mode: 'beside' | 'replace';
  plane: Plane;
  /** Etcd makes lists slow. */
  slowLists: boolean;
  /** All work takes so many times as long. */
  slowness: number;
  seed: number;
  /** What phaseout does against load, and does not here. */
  without: readonly Mend[];
}
