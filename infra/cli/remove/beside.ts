import type { Variables } from '../deploy/variables.ts';

/** How an installation works with the API's own controller, as its configuration says. */
export interface Beside {
  /** Cluster API's own controller goes on, and waits for the hook. */
  isBeside: boolean;
  /** The name that is part of the hook. */
  installation: string;
}

const wordsFor = new Set(['beside', 'capi:beside']);

export function besideIn(variables: Variables): Beside {
  const modes = (variables.get('PHASEOUT_MODE') ?? '').split(',').map((word) => word.trim());
  return {
    isBeside: modes.some((word) => wordsFor.has(word)),
    installation: variables.get('PHASEOUT_INSTALLATION') ?? '',
  };
}
