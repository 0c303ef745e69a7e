import type { Resource } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { badRequest } from '../objects/status.ts';
import { textAt } from '../server/json.ts';
import { parseLabelSelector } from './label-selector.ts';

export interface SelectionText {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Namespace, label selector and field selector as one test. Throws ApiError 400. */
export function selectionTest(resource: Resource, version: string, text: SelectionText): ObjectTest {
  const { namespace, labelSelector, fieldSelector } = text;
  const tests: ObjectTest[] = [];
  if (namespace) tests.push((object) => object.metadata.namespace === namespace);
  if (fieldSelector) tests.push(parseFieldSelector(resource, version, fieldSelector));
  if (labelSelector) {
    const matchesLabels = parseLabelSelector(labelSelector);
    tests.push((object) => matchesLabels(object.metadata.labels ?? noLabels));
  }
  return (object: KubeObject) => tests.every((test) => test(object));
}

const noLabels = {};

export type ObjectTest = (object: KubeObject) => boolean;

const everything: ObjectTest = () => true;

/** The selector as a test at one version of the resource. Throws ApiError 400 for what is malformed or not selectable. */
function parseFieldSelector(resource: Resource, version: string, text: string | undefined): ObjectTest {
  if (!text) return everything;
  // An escaped comma parts nothing.
  const tests = (text.match(/(?:\\[^]|[^,\\]|\\$)+/g) ?? []).map((term) =>
    parseTerm(resource, version, term),
  );
  return (object) => tests.every((test) => test(object));
}

function parseTerm(resource: Resource, version: string, term: string): ObjectTest {
  const found = /^(.*?)(!=|==|=)(.*)$/.exec(term);
  if (!found) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator = '', text = ''] = found;
  const value = unescaped(text);
  if (field === '') return everything;
  const read = readerOf(resource, version, field);
  return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value;
}

/** Only commas, equals signs and backslashes are escaped, and all of them have to be. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([^])?|=/g, (escape: string, what: string | undefined) => {
    if (escape === '=') throw badRequest('invalid field selector: unescaped character in value: 61');
    if (what === undefined || !',=\\'.includes(what))
      throw badRequest(`invalid field selector: invalid escape sequence: ${escape}`);
    return what;
  });
}

function readerOf(resource: Resource, version: string, field: string): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace' && resource.namespaced)
    return (object) => object.metadata.namespace ?? '';
  const read = resource.rules.fields?.[field] ?? selectableField(resource, version, field);
  if (read) return read;
  const hasOwnFields = resource.isCustom || resource.rules.fields !== undefined;
  if (hasOwnFields) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function selectableField(
  resource: Resource,
  version: string,
  field: string,
): ((object: KubeObject) => string) | undefined {
  const fields = resource.versions.find((served) => served.name === version)?.selectableFields ?? [];
  return fields.includes(`.${field}`) ? (object) => textAt(object, ...field.split('.')) : undefined;
}
