import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { CapiVersion } from '../machine-apis.ts';
import { type Site, testLabel } from '../site.ts';
import { pause } from '../until.ts';
import { createBudgets } from './budgets.ts';
import { createCollector } from './collector.ts';
import { createKubelet } from './kubelet.ts';
import { createHeartbeat } from './nodes.ts';
import { createPeer } from './peer.ts';
import { createServers } from './servers.ts';

const betweenMilliseconds = 300;

export interface PlayersOptions {
  run: string;
  /** No controller keeps the status of disruption budgets, or collects objects deleted in the foreground. */
  isWithoutControllers: boolean;
  /** Cluster API's own controller is played, for Machines in this version. */
  peerOf?: CapiVersion;
  complain: (text: string) => void;
}

/** Plays, for this run's objects alone, what has no controller of its own. Returns the way to stop. */
export function startPlayers(
  site: Site,
  { run, isWithoutControllers, peerOf, complain }: PlayersOptions,
): () => Promise<void> {
  const players = [createKubelet(site), createServers(site), createHeartbeat(site)];
  if (isWithoutControllers) players.push(createBudgets(site), createCollector(site));
  if (peerOf !== undefined) players.push(createPeer(site, peerOf));
  const ending = new AbortController();
  const playing = players.map(async (player) => {
    while (!ending.signal.aborted) {
      await player(`${testLabel}=${run}`).catch((error: unknown) => {
        // Whatever could not be seen now is seen the next time.
        if (!(error instanceof Unavailable)) complain(error instanceof Error ? error.message : String(error));
      });
      await pause(betweenMilliseconds, site.clock, ending.signal);
    }
  });
  return async () => {
    ending.abort();
    await Promise.all(playing);
  };
}
