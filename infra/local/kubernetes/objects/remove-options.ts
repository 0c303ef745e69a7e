import type { Cause } from '../discovery/resource.ts';
import { jsonBody } from '../server/body.ts';
import { at, isObject, listOf, numberAt, objectOf, textAt } from '../server/json.ts';
import { type ApiRequest, dryRunRefusals, invalidOptions, isDryRun } from '../server/request.ts';
import { readInteger } from '../verbs/list-options.ts';
import type { RemoveOptions } from '../verbs/marking.ts';
import { badRequest, invalidValue, unsupported } from './status.ts';

/** Options of a DELETE. A body, when there is one, is all that counts: the query is not read then. */
export function removeOptions(request: ApiRequest): RemoveOptions {
  if (request.body) return optionsIn(jsonBody(request));
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = request.query ?? {};
  return optionsIn({
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: readInteger(gracePeriodSeconds) }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents: orphanDependents === 'true' }),
    ...(isDryRun(request) && { dryRun: ['All'] }),
  });
}

const policies = ['Foreground', 'Background', 'Orphan'];

function policyRefusals(policy: string, orphan: unknown): Cause[] {
  const field = 'propagationPolicy';
  const causes: Cause[] = [];
  if (policy !== '' && orphan !== undefined) {
    causes.push(invalidValue(field, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== '' && !policies.includes(policy))
    causes.push(unsupported(field, policy, [...policies, 'nil']));
  return causes;
}

/** Options as the body of a DELETE or the `deleteOptions` of an eviction state them. */
export function optionsIn(body: unknown): RemoveOptions {
  const seconds = numberAt(body, 'gracePeriodSeconds');
  const policy = textAt(body, 'propagationPolicy');
  const orphan = at(body, 'orphanDependents');
  const preconditions = at(body, 'preconditions');
  const dryRun = listOf(at(body, 'dryRun'));
  refuseUnreadable(at(body, 'gracePeriodSeconds'));
  const causes = [...policyRefusals(policy, orphan), ...dryRunRefusals(dryRun)];
  if (causes.length > 0) throw invalidOptions({ method: 'DELETE' }, causes);
  return {
    ...(seconds !== undefined && { gracePeriodSeconds: seconds }),
    ...((policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') && {
      propagationPolicy: policy,
    }),
    ...(typeof orphan === 'boolean' && { orphanDependents: orphan }),
    ...(isObject(preconditions) && { preconditions: objectOf(preconditions) }),
    ...(dryRun.length > 0 && { dryRun: true }),
  };
}

function refuseUnreadable(seconds: unknown): void {
  if (seconds === undefined || seconds === null || typeof seconds === 'number') return;
  const why = `cannot unmarshal ${typeof seconds} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`;
  throw badRequest(`json: ${why}`);
}
