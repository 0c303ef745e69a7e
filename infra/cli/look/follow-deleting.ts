import type { Selection, WatchListener } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { Fleet } from '../fleet.ts';
import { pause } from '../run/until-gone.ts';
import { listDeletingOf } from './list-deleting.ts';

interface Following {
  fleet: Fleet;
  selection: Selection;
  clock: Clock;
  signal: AbortSignal;
  /** All that are being deleted now, after each change. */
  changed: (machines: readonly KubeObject[]) => void;
}

/** A watch that ends, or an API that does not answer, is asked again after this time. */
const againMilliseconds = 1_000;

/** Lists and watches the Machines that are being deleted, until the signal. What cannot be listed is tried again. */
export async function followDeleting(following: Following): Promise<void> {
  const { fleet } = following;
  const shown = new Map<MachineApi, ReadonlyMap<string, KubeObject>>();
  const put = (api: MachineApi, machines: ReadonlyMap<string, KubeObject>): void => {
    shown.set(api, machines);
    following.changed([...shown.values()].flatMap((each) => [...each.values()]));
  };
  await Promise.all(fleet.machineApis.map((api) => followApi(following, api, (found) => put(api, found))));
}

async function followApi(
  following: Following,
  api: MachineApi,
  put: (machines: ReadonlyMap<string, KubeObject>) => void,
): Promise<void> {
  const { clock, signal, fleet, selection } = following;
  while (!signal.aborted) {
    try {
      const { items, resourceVersion } = await listDeletingOf(fleet, api, selection);
      const machines = new Map(items.map((machine) => [machine.metadata.uid ?? '', machine]));
      put(machines);
      const watch = (listener: WatchListener): (() => void) =>
        fleet.kubernetes.watch(api.resource, selection, resourceVersion, listener);
      await watchOnce(watch, machines, put, signal);
    } catch (error) {
      // Until it answers again the last list stands.
      if (!(error instanceof Unavailable)) throw error;
    }
    await pause(againMilliseconds, clock, signal);
  }
}

function watchOnce(
  watch: (listener: WatchListener) => () => void,
  machines: Map<string, KubeObject>,
  put: (machines: ReadonlyMap<string, KubeObject>) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = watch({
      changed(type, object) {
        const { uid = '', deletionTimestamp } = object.metadata;
        const isGone = type === 'DELETED' || deletionTimestamp === undefined;
        if (isGone && !machines.delete(uid)) return;
        if (!isGone) machines.set(uid, object);
        put(machines);
      },
      ended: over,
    });
    function over(): void {
      signal.removeEventListener('abort', over);
      stop();
      resolve();
    }
    signal.addEventListener('abort', over, { once: true });
  });
}
