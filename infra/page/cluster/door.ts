import { foreigner, type Refused, refused } from '../server/guard.ts';
import type { Asked } from '../server/http.ts';

/** How a page in a cluster is reached. */
export interface ClusterDoor {
  /** `page.example`, `localhost:8080`: as browsers say it. */
  hosts: readonly string[];
}

export type ClusterVerdict =
  | Refused
  | { kind: 'page' }
  /** A token comes, for a session. */
  | { kind: 'token' }
  | { kind: 'data' };

const sessionPath = '/session';
/** What ends TLS before this process knows the scheme alone. */
const schemes = ['http', 'https'];

/** Whether a request is answered. `isKnown`: its cookie and its key are those of a session. */
export function judgeInCluster(asked: Asked, { hosts }: ClusterDoor, isKnown: boolean): ClusterVerdict {
  const { method, path, host = '', origin } = asked;
  const isToken = method === 'POST' && path === sessionPath;
  if (method !== 'GET' && method !== 'HEAD' && !isToken)
    return refused(405, 'only GET and HEAD are answered, and POST of a token');
  if (!hosts.includes(host)) return refused(403, 'the Host is not one of this page');
  // Who gives somebody a session of his own would see what is looked for in it.
  if (isToken && origin === undefined) return refused(403, 'the Origin is missing');
  if (isToken) return foreigner(asked, schemes) ?? { kind: 'token' };
  if (!path.startsWith('/api/')) return { kind: 'page' };
  return foreigner(asked, schemes) ?? (isKnown ? { kind: 'data' } : refused(401, 'there is no session'));
}
