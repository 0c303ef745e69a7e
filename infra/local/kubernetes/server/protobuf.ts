import { type JsonObject, listOf, objectOf } from './json.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';

/** A field of a message: its name and what it holds. */
type Field = readonly [name: string, holds: Scalar | Message | readonly [Message]];
type Scalar = 'text' | 'texts' | 'flag' | 'number' | 'map' | 'bytesMap' | 'intOrString';
type Message = { readonly [number: number]: Field };

const metadata: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  11: ['labels', 'map'],
  12: ['annotations', 'map'],
  14: ['finalizers', 'texts'],
};

/** A message whose fields are all texts, from the first number on. */
const textFields = (...names: string[]): Message =>
  Object.fromEntries(names.map((name, i): [number, Field] => [i + 1, [name, 'text']]));

const resourceAttributes = textFields(
  'namespace',
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'name',
);
const selector: Message = { 1: ['matchLabels', 'map'] };
const containers: Message = { ...textFields('name', 'image'), 3: ['command', 'texts'], 4: ['args', 'texts'] };
const podTemplate: Message = { 1: ['metadata', metadata], 2: ['spec', { 2: ['containers', [containers]] }] };

/** The kinds that kubectl sends as protobuf, although it asks for JSON: their fields beside the metadata. */
const messages: Readonly<Record<string, Message>> = {
  Namespace: {},
  ConfigMap: { 2: ['data', 'map'], 3: ['binaryData', 'bytesMap'], 4: ['immutable', 'flag'] },
  Secret: {
    2: ['data', 'bytesMap'],
    3: ['type', 'text'],
    4: ['stringData', 'map'],
    5: ['immutable', 'flag'],
  },
  Deployment: {
    2: ['spec', { 1: ['replicas', 'number'], 2: ['selector', selector], 3: ['template', podTemplate] }],
  },
  PodDisruptionBudget: {
    2: [
      'spec',
      { 1: ['minAvailable', 'intOrString'], 2: ['selector', selector], 3: ['maxUnavailable', 'intOrString'] },
    ],
  },
  ServiceAccount: {},
  SelfSubjectAccessReview: {
    2: [
      'spec',
      {
        1: ['resourceAttributes', resourceAttributes],
        2: ['nonResourceAttributes', textFields('path', 'verb')],
      },
    ],
  },
};

const envelope: Message = { 1: ['typeMeta', textFields('apiVersion', 'kind')] };
const magicLength = 4;
const rawField = 2;

/** An object in Kubernetes' protobuf encoding as JSON, or undefined for a kind that is not known in this form. */
export function fromProtobuf(body: Buffer): JsonObject | undefined {
  if (body.subarray(0, magicLength).toString('latin1') !== 'k8s\0') return undefined;
  const outer = body.subarray(magicLength);
  const { apiVersion, kind } = objectOf(decode(outer, envelope).typeMeta);
  const message = messages[String(kind)];
  const raw = partsOf(outer)(rawField);
  if (!message || !(raw instanceof Buffer)) return undefined;
  return { apiVersion, kind, ...decode(raw, { 1: ['metadata', metadata], ...message }) };
}

function decode(bytes: Buffer, message: Message): JsonObject {
  const object: JsonObject = {};
  for (const { number, value } of fieldsOf(bytes)) {
    const field = message[number];
    if (field) add(object, field, value);
  }
  return object;
}

function add(object: JsonObject, [name, holds]: Field, value: Buffer | number): void {
  if (typeof value === 'number') {
    if (holds === 'flag') object[name] = value === 1;
    if (holds === 'number') object[name] = value;
  } else if (Array.isArray(holds)) {
    object[name] = [...listOf(object[name]), decode(value, holds[0])];
  } else if (isMessage(holds)) object[name] = decode(value, holds);
  else if (holds !== 'text' || value.length > 0) object[name] = joined(object[name], holds, value);
}

function isMessage(holds: Field[1]): holds is Message {
  return typeof holds === 'object' && !Array.isArray(holds);
}

function joined(current: unknown, holds: Field[1], value: Buffer): unknown {
  switch (holds) {
    case 'texts':
      return [...listOf(current), value.toString()];
    case 'map':
      return { ...objectOf(current), ...entry(value, 'utf8') };
    case 'bytesMap':
      return { ...objectOf(current), ...entry(value, 'base64') };
    case 'intOrString':
      return intOrString(value);
    default:
      return value.toString();
  }
}

/** Type 1 is a text in field 3, anything else a number in field 2. */
function intOrString(bytes: Buffer): string | number {
  const part = partsOf(bytes);
  return part(1) === 1 ? String(part(3) ?? '') : Number(part(2) ?? 0);
}

function entry(bytes: Buffer, encoding: 'utf8' | 'base64'): Record<string, string> {
  const part = partsOf(bytes);
  const value = part(2);
  return { [String(part(1) ?? '')]: value instanceof Buffer ? value.toString(encoding) : '' };
}

function partsOf(bytes: Buffer): (wanted: number) => Buffer | number | undefined {
  const parts = fieldsOf(bytes);
  return (wanted) => parts.find(({ number }) => number === wanted)?.value;
}

/** The fields of a message as they lie in it: numbers as such, everything else as bytes. */
function fieldsOf(bytes: Buffer): { number: number; value: Buffer | number }[] {
  const fields: { number: number; value: Buffer | number }[] = [];
  let position = 0;
  const varint = (): number => {
    let result = 0;
    for (let shift = 1; position < bytes.length; shift *= 128) {
      const byte = bytes[position] ?? 0;
      position += 1;
      result += (byte % 128) * shift;
      if (byte < 128) break;
    }
    return result;
  };
  const take = (length: number): Buffer => {
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = varint();
    const wireType = tag % 8;
    const value = wireType === 0 ? varint() : take(wireType === 2 ? varint() : wireType === 1 ? 8 : 4);
    fields.push({ number: Math.floor(tag / 8), value });
  }
  return fields;
}
