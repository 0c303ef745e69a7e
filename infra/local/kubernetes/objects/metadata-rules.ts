import {
  flawsOfLabelKey,
  flawsOfLabelValue,
  subdomainForm,
  subdomainRule,
} from '../../../../shared/kubernetes/label-syntax.ts';
import type { Cause, Resource } from '../discovery/resource.ts';
import { listOf, objectOf, textAt } from '../server/json.ts';
import type { KubeObject } from './cluster.ts';
import { forbidden, invalidValue, required } from './status.ts';

/** Why the metadata of a new object is refused. */
export function metadataRefusals(resource: Resource, object: KubeObject): Cause[] {
  const { name, generateName, labels, annotations } = object.metadata;
  if (!name && !generateName) return [required('metadata.name', 'name or generateName is required')];
  const causes: Cause[] = [];
  const flaw = flawOfName(resource, name);
  if (flaw) causes.push(invalidValue('metadata.name', name, flaw));
  causes.push(...ownerRefusals(object), ...finalizerRefusals(resource, object));
  causes.push(...flawsOfLabels(labels ?? {}, annotations ?? {}));
  return causes;
}

function flawOfName(resource: Resource, name: string): string | undefined {
  if (resource.rules.hasLooseNames) return flawOfSegment(name);
  return resource.rules.hasLabelNames ? flawOfLabel(name) : flawOfSubdomain(name);
}

function flawOfSegment(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  return /[/%]/.test(name) ? `may not contain '${/[/%]/.exec(name)?.[0]}'` : undefined;
}

/** Built-in kinds refuse finalizers without a domain; custom ones only warn. */
function finalizerRefusals(resource: Resource, object: KubeObject): Cause[] {
  const own = new Set(['foregroundDeletion', 'orphan', 'kubernetes']);
  return (object.metadata.finalizers ?? []).flatMap((finalizer, i): Cause[] => {
    const field = resource.isCustom ? 'metadata.finalizers' : `metadata.finalizers[${i}]`;
    const flaw = flawOfKey(finalizer);
    if (flaw) return [invalidValue(field, finalizer, flaw)];
    if (resource.isCustom || finalizer.includes('/') || own.has(finalizer)) return [];
    return [
      invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
    ];
  });
}

function ownerRefusals(object: KubeObject): Cause[] {
  const owners = listOf(object.metadata.ownerReferences);
  const causes = owners.flatMap((owner, i) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((key) => textAt(owner, key) === '')
      .map((key) => {
        const why = `${key === 'apiVersion' ? 'version ' : ''}must not be empty`;
        return invalidValue(`metadata.ownerReferences[${i}].${key}`, '', why);
      }),
  );
  owners.forEach((owner, i) => {
    if (textAt(owner, 'kind') !== 'Event') return;
    const why = 'is disallowed from being an owner';
    const value = `${textAt(owner, 'apiVersion')}, Kind=Event`;
    causes.push({ ...invalidValue(`metadata.ownerReferences[${i}]`, value, why) });
  });
  const controllers = owners.filter((owner) => objectOf(owner).controller === true);
  if (controllers.length < 2) return causes;
  const [first, second] = controllers.map((owner) => textAt(owner, 'kind'));
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return [...causes, invalidValue('metadata.ownerReferences', null, why)];
}

/** Why a change of metadata is refused. */
export function metadataUpdateRefusals(resource: Resource, next: KubeObject, previous: KubeObject): Cause[] {
  const causes: Cause[] = [];
  const { metadata: now } = next;
  const { metadata: before } = previous;
  for (const field of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const)
    if (now[field] !== before[field])
      causes.push(invalidValue(`metadata.${field}`, now[field], 'field is immutable'));
  causes.push(...addedFinalizers(next, previous));
  const flaws = [...ownerRefusals(next), ...finalizerRefusals(resource, next)];
  flaws.push(...flawsOfLabels(now.labels ?? {}, now.annotations ?? {}));
  // Built-in kinds look at the metadata of a changed object as if it were new, too.
  return resource.isCustom ? [...causes, ...flaws] : [...causes, ...flaws, ...flaws];
}

/** An object on its way out takes no new finalizers. */
function addedFinalizers(next: KubeObject, previous: KubeObject): Cause[] {
  if (!previous.metadata.deletionTimestamp) return [];
  const known = previous.metadata.finalizers ?? [];
  const added = (next.metadata.finalizers ?? []).filter((finalizer) => !known.includes(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbidden('metadata.finalizers', why)];
}

/** Finalizer names a custom resource may hold but that get a Warning. */
export function doubtfulFinalizers(object: KubeObject): string[] {
  return (object.metadata.finalizers ?? []).filter(
    (one) => !one.includes('/') && one !== 'foregroundDeletion' && one !== 'orphan',
  );
}

/** Why the text is no label key (`name` or `prefix/name`), or undefined. */
export const flawOfKey = (key: string): string | undefined => flawsOfLabelKey(key)[0];

export const flawOfLabelValue = (value: string): string | undefined => flawsOfLabelValue(value)[0];

function flawOfSubdomain(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 bytes';
  return subdomainForm.test(name) ? undefined : subdomainRule;
}

/** Why labels at this field are refused. */
export const labelRefusals = (field: string, labels: Readonly<Record<string, unknown>>): Cause[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...flawed(field, key, flawOfKey),
    ...flawed(field, String(value), flawOfLabelValue),
  ]);

/** The text at this field is refused, or not, by one of the rules above. */
export function flawed(field: string, text: string, flawOf: (text: string) => string | undefined): Cause[] {
  const flaw = flawOf(text);
  return flaw === undefined ? [] : [invalidValue(field, text, flaw)];
}

/** Why labels and annotations are refused. */
function flawsOfLabels(labels: Record<string, string>, annotations: Record<string, string>): Cause[] {
  const causes = labelRefusals('metadata.labels', labels);
  for (const key of Object.keys(annotations)) {
    const flaw = flawOfKey(key.toLowerCase());
    if (flaw) causes.push(invalidValue('metadata.annotations', key, flaw));
  }
  return causes;
}

const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function flawOfLabel(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 bytes';
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) ? undefined : labelRule;
}
