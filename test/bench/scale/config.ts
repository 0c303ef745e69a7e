import { type Config, readConfig } from '../../../shared/runtime/config.ts';
import type { Setting } from './setting.ts';

/** In one process any number of requests are worked on at the same time. */
export function configFor(mode: Setting['mode'], plane: Setting['plane']): Config {
  const config = readConfig({ PHASEOUT_MODE: `capi:${mode}`, PHASEOUT_MACHINE_APIS: 'capi' });
  return plane === 'process' ? { ...config, requestsInFlight: Number.POSITIVE_INFINITY } : config;
}
