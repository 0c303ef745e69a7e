import type { Outside } from '../terminal/outside.ts';

/** The functions' own variables: what else is in the environment is not meant for them. */
export const ownVariables = (env: Outside['env']): Outside['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PHASEOUT_') || name === 'NODE_NAME'),
  );
