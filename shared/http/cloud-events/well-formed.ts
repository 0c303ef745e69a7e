import { CloudEvent as SdkEvent } from 'cloudevents';
import type { CloudEvent } from '../../../events/envelope.ts';

const required = ['id', 'source', 'type'] as const;
const core = [...required, 'specversion', 'subject', 'time', 'datacontenttype', 'dataschema'] as const;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * The event that the attributes and data make. Stricter than the SDK, which accepts any spec version and time. It also
 * invents a missing id, and a redelivery would be another event. Throws MalformedEvent.
 */
export function toCloudEvent(attributes: Readonly<Record<string, string>>, data: unknown): CloudEvent {
  for (const name of Object.keys(attributes)) refuseName(name);
  const { specversion, id, source, type, time } = attributes;
  if (specversion !== '1.0') throw new MalformedEvent('specversion', not('1.0', specversion));
  for (const name of required) {
    if (!attributes[name]) throw new MalformedEvent(name, 'must be there and not empty');
  }
  if (time !== undefined && !isTime(time)) throw new MalformedEvent('time', not('RFC 3339', time));
  refuseByTheSpec(attributes);
  const event = { ...attributes, specversion, id: id ?? '', source: source ?? '', type: type ?? '' } as const;
  return data === undefined ? event : { ...event, data };
}

const not = (expected: string, value: string | undefined): string =>
  value === undefined
    ? `must be ${expected}, and there is none`
    : `must be ${expected}, not ${JSON.stringify(value)}`;

const isTime = (value: string): boolean => rfc3339.test(value) && !Number.isNaN(Date.parse(value));

function refuseName(name: string): void {
  if (!/^[a-z0-9]+$/.test(name)) {
    throw new MalformedEvent(name, 'names of attributes are lower-case letters and digits');
  }
  // It would take the place of the data.
  if (name === 'data') throw new MalformedEvent(name, 'cannot be the name of an attribute');
}

/** Formats of URIs and the like. Extensions stay out: the SDK lets them take its own methods' places. */
function refuseByTheSpec(attributes: Readonly<Record<string, string>>): void {
  const known = core.filter((name) => attributes[name] !== undefined);
  try {
    const checked = new SdkEvent(Object.fromEntries(known.map((name) => [name, attributes[name]])), false);
    checked.validate();
  } catch (error) {
    const { instancePath, message } = firstProblem(error);
    throw new MalformedEvent(instancePath.slice(1) || 'event', message);
  }
}

function firstProblem(error: unknown): { instancePath: string; message: string } {
  const errors: unknown = error instanceof Error && 'errors' in error ? error.errors : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const problem = typeof first === 'object' && first !== null ? first : {};
  return {
    instancePath: 'instancePath' in problem ? String(problem.instancePath) : '',
    message: 'message' in problem ? String(problem.message) : 'does not conform to CloudEvents 1.0',
  };
}

/** What was delivered is not an event that is taken here. Final: delivering it again changes nothing. */
export class MalformedEvent extends Error {
  /** The attribute, the header or the path into the data. */
  readonly field: string;
  readonly why: string;

  constructor(field: string, why: string) {
    super(`${field}: ${why}`);
    this.name = 'MalformedEvent';
    this.field = field;
    this.why = why;
  }
}

const structuredType = 'application/cloudevents+json';

const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

export const isJson = (contentType: string): boolean =>
  /^[^/]+\/(?:[^+]+\+)?json$/.test(essence(contentType));

/** How an HTTP message carries its event. Throws MalformedEvent for the ways that are not taken. */
export function modeOf(contentType: string | undefined): 'binary' | 'structured' {
  if (contentType === undefined) return 'binary';
  refuseOtherCharsets(contentType);
  const type = essence(contentType);
  if (type === structuredType) return 'structured';
  if (type.startsWith('application/cloudevents-batch')) {
    throw new MalformedEvent('content-type', 'batches are not taken; deliver one event per request');
  }
  if (type.startsWith('application/cloudevents')) {
    throw new MalformedEvent('content-type', `${JSON.stringify(type)} is not taken, only ${structuredType}`);
  }
  return 'binary';
}

function refuseOtherCharsets(contentType: string): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return;
  throw new MalformedEvent('content-type', `charset ${charset} is not taken, only utf-8`);
}

/** The JSON value in an event's data; undefined when there are none. All that phaseout takes in is JSON. */
export function parseData(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  // A source that names no type (a PingSource may) is taken at its word by whether it parses.
  if (contentType !== undefined && !isJson(contentType)) {
    throw new MalformedEvent('datacontenttype', `${JSON.stringify(contentType)} is not JSON`);
  }
  return parseJson(bytes, 'data');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Uint8Array, field: string): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'not UTF-8';
    throw new MalformedEvent(field, why);
  }
}

/** Node's decoder skips other characters. An event that was damaged on its way must not pass as another. */
export function fromBase64(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') !== value) throw new MalformedEvent('data_base64', 'not base64');
  return bytes;
}
