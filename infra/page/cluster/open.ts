import { createServer } from 'node:http';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { openAssets } from '../assets/open.ts';
import type { Sight } from '../look/sight.ts';
import { type Assets, pageAsset } from '../server/assets.ts';
import { close, end, listen } from '../server/http.ts';
import { answerInCluster, type ClusterAnswering } from './answer.ts';
import type { ClusterDoor } from './door.ts';
import { rightsOf } from './rights.ts';
import { Sessions } from './sessions.ts';
import { userOf } from './token-review.ts';
import { viewsSeenBy } from './views-seen-by.ts';

interface ClusterSight extends Sight, ClusterDoor {
  /** With the rights to ask for reviews of tokens and of access. */
  kubernetes: Pick<Kubernetes, 'list' | 'watch' | 'create'>;
  port: number;
  /** Where the assets are, where there are no sources. */
  packed?: URL;
  /** The address to listen on; all of them where none is given. */
  address?: string;
}

/** Serves the page in a cluster. It sees with rights of its own, and shows to each user what that user may see. */
export function openClusterPage(opened: ClusterSight): Promise<ClusterPage> {
  const { hosts, port, address, packed, ...sight } = opened;
  const { kubernetes, clock } = sight;
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
    view: viewsSeenBy(sight),
    clock,
    port,
    ...(address !== undefined && { address }),
  });
}

/** The same page, which asks for a token of Kubernetes. */
const assetsForTokens =
  (assets: Assets): Assets =>
  async () => {
    const all = new Map(await assets());
    const page = all.get(pageAsset);
    if (page === undefined) throw new Error('the page is missing');
    return all.set(pageAsset, { ...page, body: page.body.replace('<html ', '<html data-opens="token" ') });
  };

interface ClusterPageOptions extends ClusterAnswering {
  port: number;
  /** The address to listen on; all of them where none is given. */
  address?: string;
}

/** A page that is served. */
export interface ClusterPage {
  port: number;
  close(): Promise<void>;
}

/** Serves the page in a cluster, for who gives a token. Throws CannotDo where the port cannot be had. */
async function servePageInCluster(options: ClusterPageOptions): Promise<ClusterPage> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answerInCluster(request, response, options).catch(() => {
      if (response.headersSent) return response.destroy();
      return end(response, 503, 'the API server does not answer\n');
    });
  });
  const port = await listen(server, options.port, options.address);
  return { port, close: () => close(server) };
}
