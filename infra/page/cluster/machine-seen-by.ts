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
  return (await rights.all(namespacesIn(view))) ? view : withoutPods(view, rights);
}

/** All where it is unknown what is on the Node. */
const namespacesIn = ({ plan }: MachineView): string[] | undefined =>
  plan === undefined ? undefined : [...new Set(plan.pods.map(({ namespace }) => namespace))];

/** Without all text that may name what is not to be seen. */
async function withoutPods(view: MachineView, rights: OnNodes): Promise<MachineView> {
  const { explanation: _, plan, timeline, deleting, ...rest } = view;
  const named = [...(plan?.pods ?? []).map(podName), ...(timeline?.pods ?? []).map(({ pod }) => pod)];
  const namespaces = [...new Set(named.map(namespaceOf))];
  const answers = await Promise.all(namespaces.map((namespace) => rights.inNamespace(namespace)));
  const allowed = new Set(namespaces.filter((_namespace, index) => answers[index]));
  const isShown = (pod: string): boolean => allowed.has(namespaceOf(pod));
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

const podName = ({ namespace, name }: DeletionPlan['pods'][number]): string => `${namespace}/${name}`;
const namespaceOf = (pod: string): string => pod.split('/')[0] ?? '';

function planOf(plan: DeletionPlan, isShown: (pod: string) => boolean): DeletionPlan {
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

const timelineOf = (timeline: Timeline, isShown: (pod: string) => boolean): Timeline => ({
  ...timeline,
  pods: timeline.pods.filter(({ pod }) => isShown(pod)),
  marks: timeline.marks.map((mark) => ({ ...mark, message: '' })),
});
