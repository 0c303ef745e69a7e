import { aggregate } from '../../../../shared/text/truncate.ts';
import type { Cause, Resource } from '../discovery/resource.ts';
import { ApiError, type KubeStatus } from './cluster.ts';

type About = Pick<Resource, 'group' | 'plural' | 'kind'>;

/** A refusal with the code, reason and text a client of the API server sees. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details?: Record<string, unknown>,
): ApiError {
  const body: KubeStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  if (reason !== '') body.reason = reason;
  if (details) body.details = details;
  body.code = code;
  return new ApiError(body);
}

export function qualified(word: string, group: string): string {
  return group === '' ? word : `${word}.${group}`;
}

/** `details` of a Status: empty fields are left out. */
export function detailsOf(
  name: string,
  group: string,
  kind: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...(name && { name }), ...(group && { group }), ...(kind && { kind }), ...more };
}

export function notFound(about: About, name: string): ApiError {
  const message = `${qualified(about.plural, about.group)} "${name}" not found`;
  return failure(404, 'NotFound', message, detailsOf(name, about.group, about.plural));
}

export function alreadyExists(about: About, name: string, isTerminating = false): ApiError {
  const message = `${qualified(about.plural, about.group)} "${name}" already exists`;
  const prefix = isTerminating ? 'object is being deleted: ' : '';
  return failure(409, 'AlreadyExists', prefix + message, detailsOf(name, about.group, about.plural));
}

export function conflict(about: About, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(about.plural, about.group)} "${name}": ${why}`;
  return failure(409, 'Conflict', message, detailsOf(name, about.group, about.plural));
}

export function stale(about: About, name: string): ApiError {
  return conflict(
    about,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

/** 422 with its causes, in the order given. The kind may be a plural where the API server says so. */
export function invalid(group: string, kind: string, name: string, causes: readonly Cause[]): ApiError {
  // A repeated cause is listed twice but said once.
  const list = aggregate(causes.map((cause) => `${cause.field}: ${cause.message}`));
  const message = `${qualified(kind, group)} "${name}" is invalid: ${list}`;
  return failure(422, 'Invalid', message, detailsOf(name, group, kind, { causes }));
}

export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', message);
}

/** A body is not of the kind that its path takes. */
export const unhandled = (kind: string, version: string, as: string, why: string): ApiError =>
  badRequest(`${kind} in version "${version}" cannot be handled as a ${as}: ${why}`);

export const refuseOtherNamespace = (stated: string | undefined, namespace: string | undefined): void => {
  if (stated && stated !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
};

export function methodNotAllowed(): ApiError {
  return failure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function internal(message: string): ApiError {
  return failure(500, '', message);
}

export function unknownPath(): ApiError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function required(field: string, why?: string): Cause {
  return { reason: 'FieldValueRequired', message: why ? `Required value: ${why}` : 'Required value', field };
}

/** A refused value with the reason; the value is shown as JSON. */
export function invalidValue(field: string, value: unknown, why: string): Cause {
  return {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value) ?? 'null'}: ${why}`,
    field,
  };
}

export function forbidden(field: string, why: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field };
}

export function unsupported(field: string, value: unknown, supported: readonly string[]): Cause {
  const list = supported.map((word) => `"${word}"`).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
    field,
  };
}

export function notAcceptable(): ApiError {
  const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${types}`);
}
