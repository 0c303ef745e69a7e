import type { ApiError } from '../objects/cluster.ts';
import { detailsOf, failure, qualified } from '../objects/status.ts';
import type { Attributes } from './attributes.ts';

/** 403 in the API server's words: who may not do what, and where. */
export function forbidden(userName: string, attributes: Attributes, reason = ''): ApiError {
  const why = `${cannot(userName, attributes)}${reason === '' ? '' : `: ${reason}`}`;
  if (attributes.kind === 'path') return failure(403, 'Forbidden', `forbidden: ${why}`, {});
  const { group, resource, name } = attributes;
  const what = name === '' ? qualified(resource, group) : `${qualified(resource, group)} "${name}"`;
  return failure(403, 'Forbidden', `${what} is forbidden: ${why}`, detailsOf(name, group, resource));
}

function cannot(userName: string, attributes: Attributes): string {
  const start = `User "${userName}" cannot ${attributes.verb}`;
  if (attributes.kind === 'path') return `${start} path "${attributes.path}"`;
  const { group, resource, subresource, namespace } = attributes;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${start} resource "${full}" in API group "${group}" ${where}`;
}
