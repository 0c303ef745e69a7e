import type { Api } from '../objects/api.ts';
import type { ApiRequest } from '../server/request.ts';
import type { Attributes } from './attributes.ts';
import { authorize } from './authorize.ts';
import { forbidden } from './forbidden.ts';
import { known, type User } from './user.ts';

/**
 * The user that the request impersonates; the same user if it names no other. Groups come from the
 * request or are those of everybody. Throws ApiError 403 if the caller may not impersonate that user.
 */
export function impersonated(api: Api, user: User, request: ApiRequest, attributes: Attributes): User {
  const name = request.headers?.['impersonate-user'];
  if (name === undefined) return user;
  const groups = (request.headers?.['impersonate-group'] ?? '').split(', ').filter(Boolean);
  const mayBe = (resource: string, wanted: string): boolean =>
    authorize(api, user, {
      kind: 'resource',
      verb: 'impersonate',
      group: '',
      resource,
      subresource: '',
      namespace: '',
      name: wanted,
    }).allowed;
  if (mayBe('users', name) && groups.every((one) => mayBe('groups', one))) return known({ name, groups });
  throw forbidden(user.name, { ...attributes, verb: `impersonate-on:user-info:${attributes.verb}` });
}
