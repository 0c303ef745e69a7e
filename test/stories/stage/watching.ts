import { readConfig } from '../../../shared/runtime/config.ts';
import type { Carried } from './carriage.ts';

const environment = { PHASEOUT_MODE: 'observe' };

const { mode } = readConfig(environment);

/** What a stage is made with where phaseout only watches. */
export const watching = { configured: { mode }, environment, env: environment };

/** Whether instances with these variables may not have asked for this: they only watch. */
export function isForbiddenWhileWatching(
  { verb, resource }: Pick<Carried, 'verb' | 'resource'>,
  variables: Readonly<Record<string, string>>,
): boolean {
  if (variables['PHASEOUT_MODE'] !== 'observe' || ['get', 'list', 'watch'].includes(verb)) return false;
  if (resource === 'pingsources.sources.knative.dev') return false;
  return resource !== 'events' || variables['PHASEOUT_OBSERVE_EVENTS'] !== 'true';
}
