import { jsonBody } from './body.ts';
import { at, isObject, numberAt, objectOf, textAt } from './json.ts';
import { type ApiRequest, isDryRun } from './request.ts';
import { type Cause, invalid, invalidValue, unsupported } from './status.ts';
import type { RemoveOptions } from './verbs/marking.ts';

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

const policies = ['Foreground', 'Background', 'Orphan'];

function refusePolicy(policy: string, orphan: unknown): void {
  const field = 'propagationPolicy';
  const causes: Cause[] = [];
  if (policy !== '' && orphan !== undefined) {
    causes.push(invalidValue(field, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== '' && !policies.includes(policy))
    causes.push(unsupported(field, policy, [...policies, 'nil']));
  if (causes.length > 0) throw invalid('meta.k8s.io', 'DeleteOptions', '', causes);
}

/** Options as the body of a DELETE or the `deleteOptions` of an eviction state them. */
export function optionsIn(body: unknown): RemoveOptions {
  const seconds = numberAt(body, 'gracePeriodSeconds');
  const policy = textAt(body, 'propagationPolicy');
  const orphan = at(body, 'orphanDependents');
  const preconditions = at(body, 'preconditions');
  refusePolicy(policy, orphan);
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
