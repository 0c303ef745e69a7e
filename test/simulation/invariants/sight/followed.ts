import type { Fact } from './fact.ts';

/**
 * Whether a fact tells of what Cluster API's own controller does, which events tell, and no checkpoint counts. Its id ends
 * in what it says.
 */
export const isFollowed = ({ id, kind }: Fact): boolean =>
  kind === 'deletion.advanced' && /\/advanced\/[^/]+$/.test(id);
