import type { CloudEvent } from './event.ts';

const structuredJson = 'application/cloudevents+json';

export const isStructured = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === structuredJson;

/** Reads an event from its JSON form. */
export function fromStructured(body: Uint8Array): Reading {
  const fields = parseObject(body);
  if (fields?.specversion === undefined) {
    return { kind: 'broken', problem: 'not a structured CloudEvent: no JSON object with a specversion' };
  }
  const { data, data_base64: base64, ...rest } = fields;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null) attributes[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (typeof base64 === 'string') {
    return { kind: 'event', event: { attributes, data: Buffer.from(base64, 'base64') } };
  }
  // Data without a type is JSON by the JSON event format; said aloud once the envelope is gone.
  if (data !== undefined) attributes.datacontenttype ??= 'application/json';
  return { kind: 'event', event: { attributes, data: dataBytes(data, attributes.datacontenttype) } };
}

/** The event in structured mode, for Triggers with `delivery.format: json`. */
export function structured(event: CloudEvent): { headers: Record<string, string>; body: Uint8Array } {
  const { specversion, id, source, type, datacontenttype, ...rest } = event.attributes;
  const envelope = { specversion, id, source, type, datacontenttype, ...dataField(event), ...rest };
  return { headers: { 'Content-Type': structuredJson }, body: Buffer.from(JSON.stringify(envelope)) };
}

function parseObject(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function dataBytes(data: unknown, contentType: string | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array();
  if (typeof data === 'string' && !isJson(contentType)) return Buffer.from(data);
  return Buffer.from(JSON.stringify(data));
}

function dataField({ attributes, data }: CloudEvent): Record<string, unknown> {
  if (data.length === 0) return {};
  const bytes = Buffer.from(data);
  if (!isJson(attributes.datacontenttype)) return { data_base64: bytes.toString('base64') };
  try {
    return { data: JSON.parse(bytes.toString()) };
  } catch {
    return { data_base64: bytes.toString('base64') };
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^[^;]*[/+]json\s*(;|$)/i.test(contentType);

export type Reading =
  | { kind: 'event'; event: CloudEvent }
  /** Says it is an event and cannot be read as one. */
  | { kind: 'broken'; problem: string }
  /** Does not say it is an event. */
  | { kind: 'other' };
