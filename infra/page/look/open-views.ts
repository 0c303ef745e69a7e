import type { Read } from '../server/answer-view.ts';
import type { MachineName, MachineView, OverviewView } from '../views.ts';
import { lookAtMachine } from './machine.ts';
import { MachineWatch } from './machine-watch.ts';
import { nameOf } from './names.ts';
import { overviewOf } from './overview.ts';
import { Readers } from './readers.ts';
import type { DeletionSight } from './sight.ts';

/** The views of a page by their paths: one watch stands behind all of them, and runs while somebody reads. */
export function openViews(
  sight: DeletionSight,
): (path: string) => Read<OverviewView | MachineView> | undefined {
  const { kubernetes, clock, machineApis, namespace, hooks } = sight;
  const watch = new MachineWatch({
    kubernetes,
    machineApis,
    namespace,
    clock,
    changed: (seen) => {
      overviews.changed(() => true);
      const path = seen && pathOf(nameOf(seen));
      machines.changed((each) => path === undefined || each === path);
    },
  });
  const standing = { clock, begin: () => watch.start(), end: () => watch.stop() };
  // An overview asks for DeletionHooks alone, and now and then. A plan asks for more: neither waits for the other.
  const overviews = new Readers<OverviewView>(standing);
  const machines = new Readers<MachineView>(standing);
  const onceListed = async <T>(look: () => T | Promise<T>): Promise<T> => {
    await watch.ready();
    await hooks.refresh(watch.seen().map(({ machine }) => machine));
    return look();
  };
  return (path) => {
    if (path === '/api/overview') {
      const look = () => onceListed(() => overviewOf(watch, sight, clock.now()));
      return (reader) => overviews.read(path, look, reader);
    }
    const named = machineIn(path);
    if (named === undefined) return undefined;
    const look = () => onceListed(() => lookAtMachine(named, watch, sight));
    return (reader) => machines.read(pathOf(named), look, reader);
  };
}

const pathOf = ({ api, namespace, name }: MachineName): string =>
  `/api/machines/${[api, namespace, name].map(encodeURIComponent).join('/')}`;

function machineIn(path: string): MachineName | undefined {
  const found = /^\/api\/machines\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path);
  if (found === null) return undefined;
  const [api = '', namespace = '', name = ''] = found.slice(1).map(decoded);
  return api === '' || namespace === '' || name === '' ? undefined : { api, namespace, name };
}

/** Empty where it makes no sense. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
