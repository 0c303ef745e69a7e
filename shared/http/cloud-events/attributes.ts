import { CloudEvent as SdkEvent } from 'cloudevents';
import type { CloudEvent } from '../../../events/envelope.ts';
import { MalformedEvent } from './malformed-event.ts';

const required = ['id', 'source', 'type'] as const;
const core = [...required, 'specversion', 'subject', 'time', 'datacontenttype', 'dataschema'] as const;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * The event that the attributes and data make. Stricter than the SDK, which invents a missing id (so that a
 * redelivery would be taken for another event) and accepts any spec version and time. Throws MalformedEvent.
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
