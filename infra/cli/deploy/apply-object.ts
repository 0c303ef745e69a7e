import type { ApplyOutcome, FieldConflict } from '../../../shared/adapters/kubernetes/install-client.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { atRestAnnotation, whileDeletingAnnotation } from '../../../shared/runtime/ping-schedule.ts';
import { isObject } from '../../local/kubernetes/server/json.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { type Difference, differences } from './differences.ts';
import { isHookKey, makeHookKey } from './hook-key.ts';
import { isKnativeService, nameOf } from './object-name.ts';
import { withMaker } from './ours.ts';
import { readinessOf } from './readiness.ts';
import type { Change } from './report.ts';
import { withNewRevision } from './service/failed-revision.ts';
import { keyOf, persistently, resourceOf, type Site, untilObjectGone } from './site.ts';

/** The owner of the fields that are applied, as `kubectl get --show-managed-fields` names it. */
export const fieldManager = 'phaseout';

interface ApplyWishes {
  /** Take fields that belong to others. */
  force: boolean;
  dryRun: boolean;
}

export interface Applied {
  change: Change;
  fields: Difference[];
}

/** Why an object was not applied. The message is for the user. */
export class NotApplied extends Error {
  constructor(object: KubeObject, why: string) {
    super(`${nameOf(object)}: ${why}`);
    this.name = 'NotApplied';
  }
}

/** Throws NotApplied, Unavailable. */
export async function applyObject(site: Site, object: KubeObject, wishes: ApplyWishes): Promise<Applied> {
  const resource = await resourceOf(site, object);
  if (resource === undefined) throw new NotApplied(object, `${object.apiVersion} is not served here`);
  const { kubernetes } = site;
  const before = await persistently(site, () => kubernetes.get(resource, keyOf(object)));
  if (isHookKey(object) && before !== undefined) return { change: 'unchanged', fields: [] };
  const wanted = withNewRevision(withMaker(withKeptSchedule(object, before), before), before);
  const isMade = isHookKey(object) && !wishes.dryRun;
  const outcome = isMade
    ? await persistently(site, () => makeHookKey(kubernetes, resource, object))
    : await applyOver(site, resource, wanted, wishes);
  if (outcome.kind === 'conflict') throw new NotApplied(object, conflictText(outcome.conflicts));
  const isInTheWay = outcome.kind === 'applied' ? hasFailed : isReplaceableAfter(outcome);
  if (before !== undefined && isInTheWay(before)) {
    if (!wishes.dryRun) await replace(site, resource, { before, wanted });
    return { change: 'replaced', fields: [] };
  }
  if (outcome.kind === 'refused') throw new NotApplied(object, outcome.message);
  return changeBetween(before, outcome.object);
}

/** A failed object never tries again, although its cause may be gone. */
const hasFailed = (object: KubeObject): boolean =>
  object.kind === 'Job' && readinessOf(object).kind === 'failed';

function changeBetween(before: KubeObject | undefined, after: KubeObject): Applied {
  if (before === undefined) return { change: 'created', fields: [] };
  const fields = differences(before, after);
  return { change: fields.length === 0 ? 'unchanged' : 'changed', fields };
}

/** Takes what others have set only where it is asked to, or where they set it on our behalf. */
async function applyOver(
  site: Site,
  resource: Resource,
  object: KubeObject,
  { force, dryRun }: ApplyWishes,
): Promise<ApplyOutcome> {
  const apply = (isForced: boolean): Promise<ApplyOutcome> =>
    persistently(site, () =>
      site.kubernetes.apply(resource, object, { fieldManager, force: isForced, dryRun }),
    );
  const outcome = await apply(force);
  const isOurs = outcome.kind === 'conflict' && outcome.conflicts.every((one) => isOnOurBehalf(object, one));
  return isOurs ? apply(true) : outcome;
}

/**
 * The functions set schedules under our own name. A SinkBinding writes its variables into the list of containers, which
 * has one owner as a whole. It does so again after each write of the Service.
 */
function isOnOurBehalf(object: KubeObject, { owner, field }: FieldConflict): boolean {
  if (owner === fieldManager) return true;
  return (
    isKnativeService(object) &&
    owner.endsWith('webhook') &&
    field.startsWith('.spec.template.spec.containers')
  );
}

const conflictText = (conflicts: FieldConflict[]): string =>
  `${conflicts.map(({ owner, field }) => `${field} belongs to ${owner}`).join(', ')} (--force-conflicts takes it)`;

/** Kinds without anything of value in them, which cannot be changed in some of their fields. */
const replaceable = new Set(['Job', 'RoleBinding', 'ClusterRoleBinding']);

const isReplaceableAfter =
  ({ code, message }: { code: number; message: string }) =>
  ({ kind }: KubeObject): boolean =>
    (code === 422 &&
      replaceable.has(kind ?? '') &&
      /field is immutable|cannot change roleRef/.test(message)) ||
    // In the words of Knative's webhook.
    (kind === 'EventType' && message.includes('Immutable fields changed'));

async function replace(
  site: Site,
  resource: Resource,
  { before, wanted }: { before: KubeObject; wanted: KubeObject },
): Promise<void> {
  const { kubernetes } = site;
  const { uid = '' } = before.metadata;
  await kubernetes.deleteWithDependents(resource, keyOf(wanted), uid);
  if (!(await untilObjectGone(site, resource, before))) throw new CannotDo(`${nameOf(wanted)} did not go`);
  const again = await applyOver(site, resource, wanted, { force: false, dryRun: false });
  if (again.kind === 'conflict') throw new NotApplied(wanted, conflictText(again.conflicts));
  if (again.kind === 'refused') throw new NotApplied(wanted, again.message);
}

/** The functions change the schedule of a PingSource that may rest, so both of its schedules are right. */
function withKeptSchedule(wanted: KubeObject, before: KubeObject | undefined): KubeObject {
  const spec = wanted['spec'];
  const live = textAt(before, 'spec', 'schedule');
  if (wanted.kind !== 'PingSource' || !isObject(spec) || live === undefined) return wanted;
  const { annotations = {} } = wanted.metadata;
  const isRight = [annotations[whileDeletingAnnotation], annotations[atRestAnnotation]].includes(live);
  return isRight ? { ...wanted, spec: { ...spec, schedule: live } } : wanted;
}
