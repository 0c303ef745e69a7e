import { createServer } from 'node:http';
import { end } from '../server/http.ts';
import { close, listen } from '../server/listen.ts';
import { answerInCluster, type ClusterAnswering } from './answer.ts';

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
export async function servePageInCluster(options: ClusterPageOptions): Promise<ClusterPage> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answerInCluster(request, response, options).catch(() => {
      if (response.headersSent) return response.destroy();
      return end(response, 503, 'the API server does not answer\n');
    });
  });
  const port = await listen(server, options.port, options.address);
  return { port, close: () => close(server) };
}
