const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

const nameForm = new RegExp(`^${name}$`);

const valueForm = new RegExp(`^(${name})?$`);

/** A DNS subdomain: of names of objects, and before the slash of a label key. */
export const subdomainForm = new RegExp(`^${subdomain}$`);

const characters =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const nameRule = `must ${characters} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;

const valueRule = `a valid label must be an empty string or ${characters} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${name})?')`;

/** What is said of a text that is none. */
export const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;

// The API server counts bytes, not characters.
const bytes = (text: string): number => Buffer.byteLength(text);

const tooLong = (limit: number): string => `must be no more than ${limit} bytes`;

/** What is wrong with a label's key (`name` or `prefix/name`), in the API server's words; empty when nothing is. */
export function flawsOfLabelKey(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...flawsOfPrefix(prefix), ...flawsOfName(parts.at(-1) ?? '')];
}

function flawsOfPrefix(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  const flaws = bytes(prefix) > 253 ? [`prefix part ${tooLong(253)}`] : [];
  return subdomainForm.test(prefix) ? flaws : [...flaws, `prefix part ${subdomainRule}`];
}

function flawsOfName(text: string): string[] {
  const flaws: string[] = [];
  if (text === '') flaws.push('name part must be non-empty');
  if (bytes(text) > 63) flaws.push(`name part ${tooLong(63)}`);
  if (!nameForm.test(text)) flaws.push(`name part ${nameRule}`);
  return flaws;
}

/** What is wrong with a label's value, in the API server's words; empty when nothing is. */
export function flawsOfLabelValue(value: string): string[] {
  const flaws = bytes(value) > 63 ? [tooLong(63)] : [];
  return valueForm.test(value) ? flaws : [...flaws, valueRule];
}
