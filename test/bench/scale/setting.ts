import type { Plane } from './constants.ts';
import type { Mend } from './mends.ts';

/** What one run plays. */
export interface Setting {
  machines: number;
  /** On each Node. */
  pods: number;
  instances: number;
  mode: 'beside' | 'replace';
  plane: Plane;
  /** Etcd makes lists slow. */
  slowLists: boolean;
  seed: number;
  /** What phaseout does against load, and does not here. */
  without: readonly Mend[];
}
