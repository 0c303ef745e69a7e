import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { MachineView, Timeline } from '../views.ts';
import { type OnNodes, onNodes } from './on-nodes.ts';
import { withoutNames } from './overview-seen-by.ts';
import type { May, Wanted } from './rights.ts';

/** The view of a Machine, as far as somebody may see it. One that is not to be seen looks as if it were not there. */
export async function machineSeenBy(
  view: MachineView,
  machines: Pick<Wanted, 'group' | 'resource'>,
  may: May,
): Promise<MachineView> {
  const { kind, api, namespace, name, now, subject, nodesIn, notes } = view;
  if (!(await may({ verb: 'get', ...machines, namespace })))
    return { kind, api, namespace, name, now, subject, state: 'unknown', history: [], notes, unread: [] };
  const rights = onNodes(nodesIn, may);
  if (await rights.all()) return view;
  const isShown = await shownPods(view, rights);
  const mayReadPlan = view.plan !== undefined && (await rights.all(namespacesIn(view.plan)));
  return mayReadPlan ? withoutRecords(view, isShown) : withoutPods(view, isShown);
}

type IsShown = (pod: string) => boolean;

async function shownPods({ plan, timeline }: MachineView, rights: OnNodes): Promise<IsShown> {
  const named = [...(plan?.pods ?? []).map(podName), ...(timeline?.pods ?? []).map(({ pod }) => pod)];
  const namespaces = [...new Set(named.map(namespaceOf))];
  const answers = await Promise.all(namespaces.map((namespace) => rights.inNamespace(namespace)));
  const allowed = new Set(namespaces.filter((_namespace, index) => answers[index]));
  return (pod) => allowed.has(namespaceOf(pod));
}

/** What is on the Node now is shown. Records may name what was there before, in any namespace. */
function withoutRecords(view: MachineView, isShown: IsShown): MachineView {
  const { explanation, timeline, history, unread, ...rest } = view;
  const records = history.length + (explanation?.tried?.length ?? 0);
  if (records === 0 && (timeline?.pods ?? []).every(({ pod }) => isShown(pod))) return view;
  return {
    ...rest,
    ...(explanation !== undefined && { explanation: withoutTried(explanation) }),
    ...(timeline !== undefined && { timeline: timelineOf(timeline, isShown) }),
    history: [],
    unread: [...unread, recordsNotShown],
  };
}

function withoutTried(explanation: Explanation): Explanation {
  const { tried: _, ...rest } = explanation;
  return rest;
}

const recordsNotShown =
  'not shown: the history, which may name Pods of all namespaces: you may not get them in all of them';

/** Without all text that may name what is not to be seen. */
function withoutPods(view: MachineView, isShown: IsShown): MachineView {
  const { explanation: _, plan, timeline, deleting, ...rest } = view;
  return {
    ...rest,
    ...(plan !== undefined && { plan: planOf(plan, isShown) }),
    ...(timeline !== undefined && { timeline: timelineOf(timeline, isShown) }),
    ...(deleting !== undefined && { deleting: withoutNames(deleting) }),
    history: [],
    unread: [notShown],
  };
}

const notShown = 'not shown: Pods, and what tells of them, in namespaces where you may not get them';

const namespacesIn = ({ pods }: DeletionPlan): string[] => [
  ...new Set(pods.map(({ namespace }) => namespace)),
];
const podName = ({ namespace, name }: DeletionPlan['pods'][number]): string => `${namespace}/${name}`;
const namespaceOf = (pod: string): string => pod.split('/')[0] ?? '';

function planOf(plan: DeletionPlan, isShown: IsShown): DeletionPlan {
  const { machine, phases, hooks, limits, stands } = plan;
  return {
    machine,
    ...(stands !== undefined && { stands }),
    phases: phases.map((phase) => ({ ...phase, why: '' })),
    hooks,
    ...(limits !== undefined && { limits }),
    pods: plan.pods.filter((pod) => isShown(podName(pod))),
    batches: plan.batches.map((batch) => ({ ...batch, pods: batch.pods.filter(isShown) })),
    held: [],
    refusals: [],
    volumes: [],
    message: '',
  };
}

const timelineOf = (timeline: Timeline, isShown: IsShown): Timeline => ({
  ...timeline,
  pods: timeline.pods.filter(({ pod }) => isShown(pod)),
  marks: timeline.marks.map((mark) => ({ ...mark, message: '' })),
});
