import type { MachineApi } from '../../host/served-machine-apis.ts';
import { apiNameOf } from '../look/names.ts';
import type { Read } from '../server/answer-view.ts';
import type { View } from '../views.ts';
import { machineSeenBy } from './machine-seen-by.ts';
import { overviewSeenBy } from './overview-seen-by.ts';
import type { May, Wanted } from './rights.ts';

/** The views, each as far as somebody may see it. All read the same looks; each is judged for its reader. */
export const viewsSeenBy =
  (views: (path: string) => Read<View> | undefined, machineApis: readonly MachineApi[]) =>
  (path: string, may: May): Read | undefined => {
    const read = views(path);
    if (read === undefined) return undefined;
    return (reader) => {
      // In the order in which they were found, however long each is judged.
      let last = Promise.resolve();
      return read((view) => {
        last = last.then(async () => reader(await seenBy(view, machineApis, may)));
      });
    };
  };

async function seenBy(view: View, machineApis: readonly MachineApi[], may: May): Promise<View> {
  const machinesOf = (name: string): Pick<Wanted, 'group' | 'resource'> => {
    const api = machineApis.find((each) => apiNameOf(each) === name);
    return { group: api?.dialect.group ?? name, resource: api?.dialect.plural ?? 'machines' };
  };
  return view.kind === 'overview'
    ? overviewSeenBy(view, machinesOf, may)
    : machineSeenBy(view, machinesOf(view.api), may);
}
