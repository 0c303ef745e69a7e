import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { badRequest, forbidden, invalidValue, required } from '../objects/status.ts';
import { areEqual, compact, objectOf, textAt } from '../server/json.ts';

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyRefusals(object: KubeObject): Cause[] {
  const keys = Object.keys(objectOf(object.data));
  return keys
    .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key))
    .map((key) => invalidValue(`data[${key}]`, key, keyRule));
}

/** What is declared immutable stays as it is, and stays immutable. */
function immutableRefusals(next: KubeObject, previous: KubeObject | undefined): Cause[] {
  if (previous?.immutable !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const causes: Cause[] = [];
  if (next.immutable !== true) causes.push(forbidden('immutable', why));
  if (!areEqual(next.data, previous.data)) causes.push(forbidden('data', why));
  return causes;
}

function withoutEmptyData(object: KubeObject): KubeObject {
  const entries = Object.entries(objectOf(object.data)).map(([key, value]) => [key, value ?? '']);
  return compact<KubeObject>({
    ...object,
    data: entries.length > 0 ? Object.fromEntries(entries) : undefined,
  });
}

/** Values of a map of texts that are none. */
function malformedText(kind: string, object: KubeObject): string | undefined {
  const wrong = Object.values(objectOf(object.data)).find(
    (value) => typeof value !== 'string' && value !== null,
  );
  return wrong === undefined
    ? undefined
    : `json: cannot unmarshal ${typeof wrong === 'boolean' ? 'bool' : typeof wrong} into Go struct field ${kind}.data of type string`;
}

export const configMapRules: KindRules = {
  knownFields: ['data', 'binaryData', 'immutable'],
  malformation: (map) => malformedText('ConfigMap', map),
  defaults: withoutEmptyData,
  refusals: (map, previous) => [...keyRefusals(map), ...immutableRefusals(map, previous)],
};

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
};

/** Secrets: plain text given as stringData is kept as base64 in data. Throws ApiError 400 for data that is none. */
export const secretRules: KindRules = {
  knownFields: ['data', 'stringData', 'type', 'immutable'],
  defaults(secret) {
    const { stringData, ...rest } = secret;
    const data = { ...objectOf(rest.data) };
    for (const value of Object.values(data))
      if (value !== null && !isBase64(value)) throw badRequest(illegal);
    for (const [key, text] of Object.entries(objectOf(stringData)))
      data[key] = Buffer.from(String(text)).toString('base64');
    return withoutEmptyData({ type: 'Opaque', ...rest, data });
  },
  refusals: (secret, previous) => [
    ...keyRefusals(secret),
    ...missingKeys(secret),
    ...unreadableConfig(secret),
    ...typeRefusals(secret, previous),
    ...immutableRefusals(secret, previous),
  ],
  fields: { type: (secret) => textAt(secret, 'type') },
};

const illegal = 'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0';

function isBase64(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)
  );
}

function missingKeys(secret: KubeObject): Cause[] {
  const data = objectOf(secret.data);
  return (requiredKeys[textAt(secret, 'type')] ?? [])
    .filter((key) => !(key in data))
    .map((key) => required(`data[${key}]`));
}

function unreadableConfig(secret: KubeObject): Cause[] {
  const config = textAt(secret, 'data', '.dockerconfigjson');
  if (textAt(secret, 'type') !== 'kubernetes.io/dockerconfigjson' || config === '') return [];
  try {
    JSON.parse(Buffer.from(config, 'base64').toString());
    return [];
  } catch (error) {
    return [invalidValue('data[.dockerconfigjson]', '<secret contents redacted>', String(error))];
  }
}

function typeRefusals(secret: KubeObject, previous: KubeObject | undefined): Cause[] {
  if (!previous || secret.type === previous.type) return [];
  return [invalidValue('type', secret.type, 'field is immutable')];
}
