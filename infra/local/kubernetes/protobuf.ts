import { type JsonObject, listOf, objectOf } from './json.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';

/** A field of a message: its name and what it holds. */
type Field = readonly [name: string, holds: 'text' | 'texts' | 'flag' | 'map' | 'bytesMap' | Message];
type Message = { readonly [number: number]: Field };

const metadata: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  11: ['labels', 'map'],
  12: ['annotations', 'map'],
  14: ['finalizers', 'texts'],
};

const resourceAttributes: Message = {
  1: ['namespace', 'text'],
  2: ['verb', 'text'],
  3: ['group', 'text'],
  4: ['version', 'text'],
  5: ['resource', 'text'],
  6: ['subresource', 'text'],
  7: ['name', 'text'],
};

/** The kinds that kubectl sends as protobuf, although it asks for JSON. */
const messages: Readonly<Record<string, Message>> = {
  Namespace: { 1: ['metadata', metadata] },
  ConfigMap: {
    1: ['metadata', metadata],
    2: ['data', 'map'],
    3: ['binaryData', 'bytesMap'],
    4: ['immutable', 'flag'],
  },
  Secret: {
    1: ['metadata', metadata],
    2: ['data', 'bytesMap'],
    3: ['type', 'text'],
    4: ['stringData', 'map'],
    5: ['immutable', 'flag'],
  },
  ServiceAccount: { 1: ['metadata', metadata] },
  SelfSubjectAccessReview: {
    1: ['metadata', metadata],
    2: [
      'spec',
      {
        1: ['resourceAttributes', resourceAttributes],
        2: ['nonResourceAttributes', { 1: ['path', 'text'], 2: ['verb', 'text'] }],
      },
    ],
  },
};

const envelope: Message = { 1: ['typeMeta', { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] }] };
const magicLength = 4;
const rawField = 2;

/** An object in Kubernetes' protobuf encoding as JSON, or undefined for a kind that is not known in this form. */
export function fromProtobuf(body: Buffer): JsonObject | undefined {
  if (body.subarray(0, magicLength).toString('latin1') !== 'k8s\0') return undefined;
  const outer = body.subarray(magicLength);
  const { apiVersion, kind } = objectOf(decode(outer, envelope).typeMeta);
  const message = messages[String(kind)];
  const raw = fieldsOf(outer).find(({ number }) => number === rawField)?.value;
  return message && raw instanceof Buffer ? { apiVersion, kind, ...decode(raw, message) } : undefined;
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
    return;
  }
  if (holds === 'text' && value.length > 0) object[name] = value.toString();
  if (holds === 'texts') object[name] = [...listOf(object[name]), value.toString()];
  if (holds === 'map') object[name] = { ...objectOf(object[name]), ...entry(value, 'utf8') };
  if (holds === 'bytesMap') object[name] = { ...objectOf(object[name]), ...entry(value, 'base64') };
  if (typeof holds === 'object') object[name] = decode(value, holds);
}

function entry(bytes: Buffer, encoding: 'utf8' | 'base64'): Record<string, string> {
  const parts = fieldsOf(bytes);
  const part = (wanted: number) => parts.find(({ number }) => number === wanted)?.value;
  const value = part(2);
  return { [String(part(1) ?? '')]: value instanceof Buffer ? value.toString(encoding) : '' };
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
