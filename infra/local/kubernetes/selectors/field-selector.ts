import type { KubeObject } from '../cluster.ts';
import { textAt } from '../json.ts';
import type { Resource } from '../resource.ts';
import { badRequest } from '../status.ts';

export type ObjectTest = (object: KubeObject) => boolean;

const everything: ObjectTest = () => true;

/** The selector as a test at one version of the resource. Throws ApiError 400 for what is malformed or not selectable. */
export function parseFieldSelector(
  resource: Resource,
  version: string,
  text: string | undefined,
): ObjectTest {
  if (!text) return everything;
  const tests = text
    .split(',')
    .filter(Boolean)
    .map((term) => parseTerm(resource, version, term));
  return (object) => tests.every((test) => test(object));
}

function parseTerm(resource: Resource, version: string, term: string): ObjectTest {
  const found = /^(.*?)(!=|==|=)(.*)$/.exec(term);
  if (!found) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator = '', value = ''] = found;
  if (value.includes('=')) throw badRequest('invalid field selector: unescaped character in value: 61');
  if (field === '') return everything;
  const read = readerOf(resource, version, field);
  return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value;
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
