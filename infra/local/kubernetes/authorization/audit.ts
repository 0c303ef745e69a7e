import type { Attributes } from './attributes.ts';

/** One request, as an audit log has it: who has asked what, and what the answer was. */
export interface AuditEntry {
  /** Empty for a token that nobody has. */
  user: string;
  verb: string;
  /** What was asked for, of a resource; empty for other paths. */
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  /** Of what is no resource; otherwise empty. */
  path: string;
  code: number;
}

const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };

export function entryOf(user: string, { kind: _kind, ...about }: Attributes, code: number): AuditEntry {
  return { user, ...nothing, ...about, code };
}
