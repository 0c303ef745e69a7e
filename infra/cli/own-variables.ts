import type { Outside } from '../terminal/outside.ts';

/** The functions' own variables: the rest of the environment is for other programs. */
export const ownVariables = (env: Outside['env']): Outside['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PHASEOUT_') || name === 'NODE_NAME'),
  );
