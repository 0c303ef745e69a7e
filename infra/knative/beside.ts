/** How an installation works with Cluster API's own controller, as its variables say. */
export interface Beside {
  /** That controller goes on, and waits for phaseout's hook. */
  isBeside: boolean;
  /** The name that is part of the hook; empty where it has none. */
  installation: string;
}

const wordsFor = new Set(['beside', 'capi:beside']);

/** By what these variables are set to. */
export function besideIn(variables: Readonly<Record<string, string>>): Beside {
  const modes = (variables['PHASEOUT_MODE'] ?? '').split(',').map((word) => word.trim());
  return {
    isBeside: modes.some((word) => wordsFor.has(word)),
    installation: variables['PHASEOUT_INSTALLATION'] ?? '',
  };
}
