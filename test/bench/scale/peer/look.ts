import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { ApiRequest, ApiResponse } from '../../../../infra/local/kubernetes/server/request.ts';
import { parseJson } from '../../../../shared/adapters/kubernetes/read-response.ts';
import { isRecord } from '../../../../shared/kubernetes/objects.ts';
import { hasOurHook } from '../../../simulation/scenario/beside.ts';
import {
  attachments,
  conditionsPatch,
  cordon,
  deletion,
  finalizersPatch,
  podsOf,
  statusPatch,
  type Watched,
} from './resources.ts';

export type Ask = (request: ApiRequest) => Promise<ApiResponse>;

/** What one look has to go on. */
export interface View {
  /** As the controller's cache has it, which may be late. */
  machine: KubeObject;
  /** The same for what belongs to it. */
  cached: (what: Watched) => KubeObject | undefined;
  ask: Ask;
  tell: (reason: string) => void;
  /** After a conflict. */
  rest: () => Promise<void>;
  report: (what: string) => void;
}

/** One look at a Machine that is being deleted, with the requests of Cluster API 1.13 in their order. */
export async function look(view: View): Promise<void> {
  if (hasOurHook(view.machine)) return say(view, 'WaitingForPreDrainHook');
  await drained(view);
  for (const [what, reason] of owned) {
    const object = view.cached(what);
    if (object === undefined) continue;
    if (object.metadata.deletionTimestamp === undefined) await view.ask(deletion(what, nameOf(view)));
    return say(view, reason, volumes);
  }
  await view.ask(deletion('node', nameOf(view)));
  await say(view, 'DeletionCompleted', volumes);
  await view.ask(finalizersPatch(nameOf(view)));
}

const owned = [
  ['infrastructure', 'WaitingForInfrastructureDeletion'],
  ['bootstrap', 'WaitingForBootstrapDeletion'],
] as const;

const drain = 'nodeDrainStartTime';
const volumes = 'waitForNodeVolumeDetachStartTime';
/** A fleet tells nothing from its value. */
const time = '2026-01-01T00:00:00Z';

const nameOf = ({ machine }: View): string => machine.metadata.name;

/** Each look reads the Pods and the volumes again. The first says before that the drain begins, and cordons. */
async function drained(view: View): Promise<void> {
  if (at(view.machine.status, 'deletion', drain) === undefined) {
    await sayCondition(view, 'DrainingNode');
    await view.ask(statusPatch(nameOf(view), { deletion: { [drain]: time } }));
  }
  const node = view.cached('node');
  if (node !== undefined && at(node, 'spec', 'unschedulable') !== true) await view.ask(cordon(nameOf(view)));
  const pods = parseJson((await view.ask(podsOf(nameOf(view)))).body);
  const left = isRecord(pods) ? listOf(pods['items']).length : 0;
  if (left > 0) view.report(`${nameOf(view)} was handed over with ${left} Pods, whose drain is not played`);
  view.tell('SuccessfulDrainNode');
  await view.ask(attachments);
  view.tell('NodeVolumesDetached');
}

/** The end of a look: conditions first, then what else of the status is new. */
async function say(view: View, reason: string, start?: string): Promise<void> {
  const { status } = view.machine;
  const isKnown = textAt(status, 'phase') === 'Deleting';
  await sayCondition(view, reason);
  const isStarted = start === undefined || at(status, 'deletion', start) !== undefined;
  if (isKnown && isStarted) return;
  const begun = isStarted ? {} : { deletion: { [start]: time } };
  await view.ask(statusPatch(nameOf(view), { phase: 'Deleting', ...begun }));
}

/** As often as the real one tries. */
const tries = 5;

async function sayCondition(view: View, reason: string): Promise<void> {
  const condition = { type: 'Deleting', status: 'True', reason, message: '', lastTransitionTime: time };
  if (conditionsOf(view.machine).some((each) => each['type'] === 'Deleting' && each['reason'] === reason))
    return;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const latest = view.cached('machine') ?? view.machine;
    const others = conditionsOf(latest).filter((each) => each['type'] !== 'Deleting');
    if ((await view.ask(conditionsPatch(latest, [...others, condition]))).status !== 409) return;
    await view.rest();
  }
}

const conditionsOf = ({ status }: KubeObject): Record<string, unknown>[] =>
  listOf(at(status, 'conditions')).filter(isRecord);
