import type { Cause } from '../discovery/resource.ts';
import { invalidValue } from './status.ts';

const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Why the text is no label key (`name` or `prefix/name`), or undefined. */
export function flawOfKey(key: string): string | undefined {
  const parts = key.split('/');
  if (parts.length > 2) {
    return `a valid label key ${keyRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  const name = parts.at(-1) ?? '';
  if (parts.length === 2 && parts[0] === '') return 'prefix part must be non-empty';
  if (parts.length === 2 && !subdomain.test(parts[0] ?? '')) return `prefix part ${subdomainRule}`;
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 bytes';
  return qualifiedName.test(name) ? undefined : `name part ${keyRule}`;
}

export function flawOfLabelValue(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 bytes';
  return labelValue.test(value) ? undefined : valueRule;
}

export function flawOfSubdomain(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 bytes';
  return subdomain.test(name) ? undefined : subdomainRule;
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
export function flawsOfLabels(labels: Record<string, string>, annotations: Record<string, string>): Cause[] {
  const causes = labelRefusals('metadata.labels', labels);
  for (const key of Object.keys(annotations)) {
    const flaw = flawOfKey(key.toLowerCase());
    if (flaw) causes.push(invalidValue('metadata.annotations', key, flaw));
  }
  return causes;
}

const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

export function flawOfLabel(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 bytes';
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) ? undefined : labelRule;
}
