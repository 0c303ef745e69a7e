import manifest from '../../package.json' with { type: 'json' };

/** The version of phaseout. */
export const { version } = manifest;
