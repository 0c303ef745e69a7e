import type { Browser } from 'playwright-core';
import { openAssets } from '../../infra/page/assets/open.ts';
import { openViews } from '../../infra/page/look/open-views.ts';
import type { Read } from '../../infra/page/server/answer-view.ts';
import { servePage } from '../../infra/page/server/serve.ts';
import type { WatchListener } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { api, noHooks } from '../infra/page/fleet/an-overview.ts';
import { launch } from './chromium.ts';

/** A page of Machines that a test changes, and a browser. */
export interface FleetStage extends AsyncDisposable {
  address: string;
  browser: Browser;
  /** A watch tells of this one. */
  tell(machine: KubeObject): void;
  /** How many views the server has sent. */
  sent(): number;
}

/** Serves these Machines as they are: no controller changes them. */
export async function openFleetStage(machines: readonly KubeObject[]): Promise<FleetStage> {
  await using closing = new AsyncDisposableStack();
  const listeners = new Set<WatchListener>();
  const views = openViews({
    kubernetes: {
      list: async () => ({ items: [...machines], resourceVersion: '1' }),
      watch: (_resource, _selection, _version, listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    machineApis: [api],
    clock: systemClock,
    hooks: noHooks(),
    subject: 'a fleet',
    notes: [],
    recordsOf: async () => ({ history: [], pods: [], unread: [] }),
    explain: async () => undefined,
  });
  let sent = 0;
  const view = (path: string): Read | undefined => {
    const read = views(path);
    return (
      read &&
      ((reader) =>
        read((found) => {
          sent += 1;
          reader(found);
        }))
    );
  };
  const page = await servePage({ assets: openAssets(), view, clock: systemClock });
  closing.defer(() => page.close());
  const browser = await launch();
  closing.defer(() => browser.close());
  const closed = closing.move();
  return {
    address: page.address,
    browser,
    tell: (machine) => {
      for (const listener of listeners) listener.changed('MODIFIED', machine);
    },
    sent: () => sent,
    [Symbol.asyncDispose]: () => closed.disposeAsync(),
  };
}
