import type { Read } from '../server/answer-view.ts';
import type { View } from '../views.ts';
import { type JudgedFleet, lookAtFleet, planView } from './fleet.ts';
import { openViews } from './open-views.ts';
import { selectionIn } from './selection.ts';
import { SharedLooks } from './shared-looks.ts';
import type { Sight } from './sight.ts';

/** Plans of many, by what is asked for. Each lists whole clusters: it is made once, and not again and again. */
export function openPlans(
  sight: Pick<Sight, 'judgeMany' | 'clock' | 'namespace'>,
): (path: string, query: URLSearchParams) => Read<JudgedFleet> | undefined {
  const { clock, namespace } = sight;
  const looks = new SharedLooks<JudgedFleet>(clock);
  return (path, query) => {
    if (path !== '/api/plan') return undefined;
    const asked = selectionIn(query, namespace);
    if ('problem' in asked)
      return (reader) => {
        reader({ madeAt: clock.now(), machines: [], unread: [], ...asked });
        return () => undefined;
      };
    const { selection } = asked;
    const look = () => lookAtFleet(selection, sight);
    return (reader) => looks.read(JSON.stringify(selection), look, reader);
  };
}

/** All views of a page, for a reader who may see all that it sees. */
export function openAllViews(sight: Sight): (path: string, query: URLSearchParams) => Read<View> | undefined {
  const views = openViews(sight);
  const plans = openPlans(sight);
  return (path, query) => {
    const read = plans(path, query);
    return read === undefined ? views(path) : (reader) => read((fleet) => reader(planView(fleet, sight)));
  };
}
