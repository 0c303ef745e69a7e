import { parse } from '../server/body.ts';
import { isObject, objectOf } from '../server/json.ts';
import type { ApiRequest, ApiResponse } from '../server/request.ts';

const group = '/apis/authorization.k8s.io/v1/';
const ownReview = 'selfsubjectaccessreviews';
const otherReviews = ['subjectaccessreviews', 'localsubjectaccessreviews'];

/** Allows a SelfSubjectAccessReview and denies reviews of other users. Undefined for any other request. */
export function answerReview({ method, path, body }: ApiRequest): ApiResponse | undefined {
  if (method !== 'POST' || !path.startsWith(group)) return undefined;
  const kind = path.split('/').at(-1) ?? '';
  if (kind !== ownReview && !otherReviews.includes(kind)) return undefined;
  const review = parse(body ?? '');
  const given = isObject(review) ? review : {};
  const answer = { ...given, metadata: objectOf(given.metadata), status: { allowed: kind === ownReview } };
  return { status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) };
}
