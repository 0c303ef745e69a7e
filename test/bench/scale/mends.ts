import type { Environment } from '../../../shared/runtime/environment.ts';
import { withoutClaims } from '../../builders/without-claims.ts';

/** What phaseout does against load, each by its switch: what an instance without it lacks. */
const switches = {
  /** One step at a time for a Machine, all instances counted. */
  claims(environment: Environment) {
    environment.store = withoutClaims(environment.store);
  },
  /** Phases without an effect pass in one invocation. */
  passing(environment: Environment) {
    delete environment.phaseOf;
  },
  /** As many steps at once as API servers answer quickly. */
  turns(environment: Environment) {
    delete environment.loadLimit;
  },
};

export type Mend = keyof typeof switches;

export const mends: readonly Mend[] = ['claims', 'passing', 'turns'];

/** Takes these from an instance before its first step. */
export function without(environment: Environment, taken: readonly Mend[]): void {
  for (const mend of taken) switches[mend](environment);
}
