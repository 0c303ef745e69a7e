import { itself, userInfo } from '../authorization/user.ts';
import type { Scope } from '../cel/expression.ts';
import { celValue } from '../cel/value.ts';
import type { Target, WriteOptions } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { detailsOf, failure, internal, qualified } from '../objects/status.ts';
import { atVersion } from '../server/wire.ts';
import { matchedVersion, type Write } from './match.ts';
import { bindingIn, type Denial, denialsOf, type Policy, policyIn, type Reading } from './policy.ts';
import type { BindingSpec, Reason } from './policy-schema.ts';

const group = 'admissionregistration.k8s.io';
const policies = `validatingadmissionpolicies.${group}`;
const bindings = `validatingadmissionpolicybindings.${group}`;

/** What a write makes of what: of nothing when it is new, nothing when it goes. */
interface Becoming {
  readonly object?: KubeObject;
  readonly previous?: KubeObject;
}

/**
 * Asks the ValidatingAdmissionPolicies about an object that is new, changed or about to go. Throws ApiError with the
 * first refusal.
 */
export function admit(api: Api, target: Target, becoming: Becoming, options: WriteOptions): void {
  // Policies have no say about policies, or a wrong one could never be put right.
  if (target.resource.group === group || api.store.list(bindings).length === 0) return;
  const write = writeOf(api, target, becoming);
  const verdicts = boundPolicies(api).flatMap((bound) => verdictsOf(bound, write, options));
  for (const { bound, denial } of verdicts)
    if (bound.spec.validationActions.includes('Warn')) options.warn?.(warning(bound, denial));
  const refused = verdicts.find(({ bound }) => bound.spec.validationActions.includes('Deny'));
  if (refused) throw refusal(write, refused);
}

function writeOf(api: Api, target: Target, { object, previous }: Becoming): Write {
  const metadata = (object ?? previous)?.metadata;
  return {
    target,
    operation: object === undefined ? 'DELETE' : previous ? 'UPDATE' : 'CREATE',
    object,
    previous,
    name: metadata?.name ?? '',
    namespace: namespaceOf(api, target, metadata?.namespace),
  };
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

function verdictsOf(bound: Bound, write: Write, options: WriteOptions): Verdict[] {
  const { policy, spec } = bound;
  const version = matchedVersion(policy.spec.matchConstraints, write);
  if (version === undefined) return [];
  if (spec.matchResources && matchedVersion(spec.matchResources, write) === undefined) return [];
  return denialsOf(policy, scopeOf(write, version, options)).map((denial) => ({ bound, denial }));
}

function scopeOf(write: Write, version: string, { dryRun = false, user = itself }: WriteOptions): Scope {
  const { target, operation, object, previous, namespace, name } = write;
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
      name,
      namespace: target.namespace ?? '',
      operation,
      userInfo: celValue(userInfo(user)),
      dryRun,
    },
  };
}

function namespaceOf({ store }: Api, { resource }: Target, name: string | undefined): KubeObject | undefined {
  if (!resource.namespaced || name === undefined) return undefined;
  return store.get('namespaces', undefined, name);
}

const codes: Readonly<Record<Reason, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function refusal({ target, name }: Write, { bound, denial }: Verdict): Error {
  const { plural, group: ofGroup } = target.resource;
  const why = `ValidatingAdmissionPolicy '${bound.policyName}' with binding '${bound.bindingName}' denied request: ${denial.message}`;
  const message = `${qualified(plural, ofGroup)} "${name}" is forbidden: ${why}`;
  const details = detailsOf(name, ofGroup, plural, { causes: [{ message: why }] });
  return failure(codes[denial.reason], denial.reason, message, details);
}

function warning({ policyName, bindingName }: Bound, { message }: Denial): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}': ${message}`;
}
