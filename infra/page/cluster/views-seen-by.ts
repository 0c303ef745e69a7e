import { planView } from '../look/fleet.ts';
import { openPlans } from '../look/open-plans.ts';
import { openViews } from '../look/open-views.ts';
import type { Sight } from '../look/sight.ts';
import type { Read } from '../server/answer-view.ts';
import type { MachineView, OverviewView, View } from '../views.ts';
import { fleetSeenBy } from './fleet-seen-by.ts';
import { machineSeenBy } from './machine-seen-by.ts';
import { type MachinesOf, machinesIn } from './machines-seen-by.ts';
import { overviewSeenBy } from './overview-seen-by.ts';
import type { May } from './rights.ts';

/** The views, each as far as somebody may see it. All read the same looks; each is judged for its reader. */
export function viewsSeenBy(
  sight: Sight,
): (path: string, query: URLSearchParams, may: May) => Read | undefined {
  const views = openViews(sight);
  const plans = openPlans(sight);
  const machinesOf = machinesIn(sight.machineApis);
  return (path, query, may) => {
    const plan = plans(path, query);
    if (plan !== undefined)
      return inOrder(plan, async (fleet) => planView(await fleetSeenBy(fleet, machinesOf, may), sight));
    const view = views(path);
    return view && inOrder(view, (found) => seenBy(found, machinesOf, may));
  };
}

/** In the order in which they were found, however long each is judged. */
const inOrder =
  <T extends object>(read: Read<T>, judged: (found: T) => Promise<object>): Read =>
  (reader) => {
    let last = Promise.resolve();
    return read((found) => {
      last = last.then(async () => reader(await judged(found)));
    });
  };

const seenBy = (view: OverviewView | MachineView, machinesOf: MachinesOf, may: May): Promise<View> =>
  view.kind === 'overview'
    ? overviewSeenBy(view, machinesOf, may)
    : machineSeenBy(view, machinesOf(view.api), may);
