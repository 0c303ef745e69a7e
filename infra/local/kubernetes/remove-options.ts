import { jsonBody } from './body.ts';
import { at, isObject, numberAt, objectOf, textAt } from './json.ts';
import { type ApiRequest, isDryRun } from './request.ts';
import type { RemoveOptions } from './verbs/remove.ts';

/** Options of a DELETE. A body, when there is one, is all that counts: the query is not read then. */
export function removeOptions(request: ApiRequest): RemoveOptions {
  if (request.body) return optionsIn(jsonBody(request));
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = request.query ?? {};
  return optionsIn({
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents: orphanDependents === 'true' }),
    ...(isDryRun(request) && { dryRun: ['All'] }),
  });
}

/** Options as the body of a DELETE or the `deleteOptions` of an eviction state them. */
export function optionsIn(body: unknown): RemoveOptions {
  const seconds = numberAt(body, 'gracePeriodSeconds');
  const policy = textAt(body, 'propagationPolicy');
  const orphan = at(body, 'orphanDependents');
  const preconditions = at(body, 'preconditions');
  return {
    ...(seconds !== undefined && { gracePeriodSeconds: seconds }),
    ...((policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') && {
      propagationPolicy: policy,
    }),
    ...(typeof orphan === 'boolean' && { orphanDependents: orphan }),
    ...(isObject(preconditions) && { preconditions: objectOf(preconditions) }),
    ...(at(body, 'dryRun') !== undefined && { dryRun: true }),
  };
}
