import type { Fact } from './fact.ts';

/**
 * Whether a fact tells of what the API's own controllers do, which events tell, and no checkpoint counts. Its id ends
 * in what it says.
 */
export const isFollowed = ({ id, kind }: Fact): boolean =>
  kind === 'deletion.advanced' && /\/advanced\/[^/]+$/.test(id);
