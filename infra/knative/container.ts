import type { Resources } from '../serverless/model.ts';

/**
 * What Pod Security's profile `restricted` asks for. The user is the image's own, by number. OpenShift gives another
 * one, and would refuse a number that is written here.
 */
export const restricted = {
  runAsNonRoot: true,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

export const resourcesOf = ({ requests, limits }: Resources): Partial<Resources> => ({
  ...(Object.keys(requests).length === 0 ? {} : { requests }),
  ...(Object.keys(limits).length === 0 ? {} : { limits }),
});
