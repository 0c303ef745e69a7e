import type { Options } from './options.ts';
import type { Site } from './site.ts';
import type { Survey } from './survey.ts';

/** What people are told of a server before anything begins. */
export function foundTexts(
  { version, user, served, hasPolicies, peer }: Survey,
  { server }: Pick<Site, 'server'>,
  { beside }: Pick<Options, 'beside'>,
): string[] {
  const apis = served.map(({ apiVersion }) => apiVersion).join(', ') || 'none';
  return [
    `${server} is Kubernetes ${version}, and you are ${user}`,
    `Machine APIs that are there: ${apis}; admission policies: ${hasPolicies ? 'yes' : 'no'}`,
    ...(beside ? [peerText(peer)] : []),
  ];
}

const peerText = (peer: string | undefined): string =>
  peer === undefined
    ? "Cluster API's own controller does not run: what it does after a pre-drain hook is played here"
    : `Cluster API's own controller is the peer: ${peer}`;
