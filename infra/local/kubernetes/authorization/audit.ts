import type { Attributes, ResourceAttributes } from './attributes.ts';

/** One request, as an audit log has it: the user, the request and the answer. A request by path has no resource. */
export interface AuditEntry extends Omit<ResourceAttributes, 'kind'> {
  /** Empty for an unknown token. */
  user: string;
  /** Of what is no resource; otherwise empty. */
  path: string;
  /** Whether roles allow it; `allow` also for what was then refused for another reason. */
  decision: 'allow' | 'forbid';
  code: number;
}

const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };

export const entryOf = (
  user: string,
  { kind: _kind, ...about }: Attributes,
  answer: Pick<AuditEntry, 'decision' | 'code'>,
): AuditEntry => ({ user, ...nothing, ...about, ...answer });
