import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { openAssets } from '../assets/open.ts';
import { openViews } from '../look/open-views.ts';
import type { Sight } from '../look/sight.ts';
import { assetsForTokens } from './assets.ts';
import type { ClusterDoor } from './door.ts';
import { rightsOf } from './rights.ts';
import { type ClusterPage, servePageInCluster } from './serve.ts';
import { Sessions } from './sessions.ts';
import { userOf } from './token-review.ts';
import { viewsSeenBy } from './views-seen-by.ts';

export interface ClusterSight extends Sight, ClusterDoor {
  /** With the rights to ask for reviews of tokens and of access. */
  kubernetes: Pick<Kubernetes, 'list' | 'watch' | 'create'>;
  port: number;
  /** Where the assets are, where there are no sources. */
  packed?: URL;
  /** The address to listen on; all of them where none is given. */
  address?: string;
}

/** Serves the page in a cluster: it sees with rights of its own, and shows to each what that one may see. */
export function openClusterPage({
  hosts,
  port,
  address,
  packed,
  ...sight
}: ClusterSight): Promise<ClusterPage> {
  const { kubernetes, clock, machineApis } = sight;
  return servePageInCluster({
    door: { hosts },
    sessions: new Sessions({
      clock,
      rightsBy: async (token) => {
        const user = await userOf(token, kubernetes);
        return user && rightsOf(user, kubernetes, clock);
      },
    }),
    assets: assetsForTokens(openAssets(packed)),
    view: viewsSeenBy(openViews(sight), machineApis),
    clock,
    port,
    ...(address !== undefined && { address }),
  });
}
