import type { BesideOptions } from '../dialects/beside/registration.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialectsOf, machineApiNames } from '../dialects/registry.ts';
import type { Config } from './config.ts';

/** How an instance works beside the own controllers of Machine APIs. */
const besideOf = (config: Config): BesideOptions => ({
  installation: config.installation,
  hooksAfter: config.hooksAfter,
  selects: config.besideSelector,
  controlPlanes: config.besideControlPlanes,
  machinePools: config.besideMachinePools,
  ownNamespace: config.lease?.split('/')[0],
  drainsExcluded: config.besideExcluded === 'drain',
});

/** The Machine APIs that an instance looks after, each in its mode. */
export const dialectsFor = (config: Config): Dialect[] =>
  dialectsOf({
    machineApis: config.machineApis,
    beside: {
      apis: machineApiNames.filter((name) => config.mode[name] === 'beside'),
      options: besideOf(config),
    },
    observed: machineApiNames.filter((name) => config.mode[name] === 'observe'),
  });
