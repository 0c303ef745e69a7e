import type { Api, Target, WriteOptions } from '../api.ts';
import type { KubeObject } from '../cluster.ts';
import { detailsOf, failure, internal, qualified } from '../status.ts';
import { atVersion } from '../wire.ts';
import type { Scope } from '../cel/expression.ts';
import { celValue } from '../cel/value.ts';
import { type Denial, denialsOf } from './judge.ts';
import { matchedVersion, type Write } from './match.ts';
import { bindingIn, type Policy, policyIn, type Reading } from './policy.ts';
import type { BindingSpec, Reason } from './policy-schema.ts';

const group = 'admissionregistration.k8s.io';
const policies = `validatingadmissionpolicies.${group}`;
const bindings = `validatingadmissionpolicybindings.${group}`;

/** Asks the ValidatingAdmissionPolicies about a new or changed object. Throws ApiError with the first refusal. */
export function admit(
  api: Api,
  target: Target,
  { object, previous }: { object: KubeObject; previous?: KubeObject },
  { dryRun = false, warn }: WriteOptions,
): void {
  // Policies have no say about policies, or a wrong one could never be put right.
  if (target.resource.group === group || api.store.list(bindings).length === 0) return;
  const operation = previous ? 'UPDATE' : 'CREATE';
  const write: Write = { target, operation, object, previous, namespace: namespaceOf(api, target, object) };
  const verdicts = boundPolicies(api).flatMap((bound) => verdictsOf(bound, write, dryRun));
  for (const { bound, denial } of verdicts)
    if (bound.spec.validationActions.includes('Warn')) warn?.(warning(bound, denial));
  const refused = verdicts.find(({ bound }) => bound.spec.validationActions.includes('Deny'));
  if (refused) throw refusal(write, refused);
}

/** A policy under one of its bindings; without any, a policy does nothing. */
interface Bound {
  readonly policyName: string;
  readonly policy: Policy;
  readonly bindingName: string;
  readonly spec: BindingSpec;
}

interface Verdict {
  readonly bound: Bound;
  readonly denial: Denial;
}

function boundPolicies({ store }: Api): Bound[] {
  const bound = store
    .list(bindings)
    .map((binding) => ({ binding, spec: sound(binding, bindingIn(binding)) }));
  return store.list(policies).flatMap((object) => {
    const { name: policyName } = object.metadata;
    const policy = sound(object, policyIn(object));
    return bound
      .filter(({ spec }) => spec.policyName === policyName)
      .map(({ binding, spec }) => ({ policyName, policy, bindingName: binding.metadata.name, spec }));
  });
}

/** Nothing is stored that could not be enforced. */
function sound<T>({ kind, metadata }: KubeObject, reading: Reading<T>): T {
  if ('found' in reading) return reading.found;
  throw internal(`${kind} ${metadata.name} cannot be enforced: ${reading.causes[0]?.field}`);
}

function verdictsOf(bound: Bound, write: Write, dryRun: boolean): Verdict[] {
  const { policy, spec } = bound;
  const version = matchedVersion(policy.spec.matchConstraints, write);
  if (version === undefined) return [];
  if (spec.matchResources && matchedVersion(spec.matchResources, write) === undefined) return [];
  return denialsOf(policy, scopeOf(write, version, dryRun)).map((denial) => ({ bound, denial }));
}

function scopeOf(write: Write, version: string, dryRun: boolean): Scope {
  const { target, operation, object, previous, namespace } = write;
  const { resource, subresource } = target;
  const seen = (one: KubeObject | undefined): unknown => celValue(one && atVersion(resource, version, one));
  return {
    object: seen(object),
    oldObject: seen(previous),
    namespaceObject: celValue(namespace),
    request: {
      kind: { group: resource.group, version, kind: resource.kind },
      resource: { group: resource.group, version, resource: resource.plural },
      subResource: subresource,
      name: object.metadata.name,
      namespace: target.namespace ?? '',
      operation,
      dryRun,
    },
  };
}

function namespaceOf({ store }: Api, { resource }: Target, { metadata }: KubeObject): KubeObject | undefined {
  if (!resource.namespaced || metadata.namespace === undefined) return undefined;
  return store.get('namespaces', undefined, metadata.namespace);
}

const codes: Readonly<Record<Reason, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function refusal({ target, object }: Write, { bound, denial }: Verdict): Error {
  const { plural, group: ofGroup } = target.resource;
  const { name } = object.metadata;
  const why = `ValidatingAdmissionPolicy '${bound.policyName}' with binding '${bound.bindingName}' denied request: ${denial.message}`;
  const message = `${qualified(plural, ofGroup)} "${name}" is forbidden: ${why}`;
  const details = detailsOf(name, ofGroup, plural, { causes: [{ message: why }] });
  return failure(codes[denial.reason], denial.reason, message, details);
}

function warning({ policyName, bindingName }: Bound, { message }: Denial): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}': ${message}`;
}
