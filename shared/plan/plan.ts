import { type Assessment, drainPlanOf } from '../assess/assessment.ts';
import { foretoldText } from '../blocked/words.ts';
import { podName } from '../kubernetes/objects.ts';
import type { HookAhead } from '../phase/hooks-ahead.ts';
import type { DeletionPlan, PlannedFunction, PlannedHook, PlannedRefusal } from './deletion-plan.ts';
import { type NotGiven, planReturning, planUnreachable, withoutNode } from './node.ts';
import { plannedPhases } from './phases.ts';
import { plannedNamespaces, plannedPod, plannedRefusals, plannedRefusalsAhead } from './rows.ts';
import { planLimits } from './time-limits.ts';
import { plannedVolumes, planUnawaited } from './volumes.ts';

/** What an assessment says of a deletion: what it would do. Where it has begun, what is left to do. */
export function planOf(assessment: Assessment, notGiven: NotGiven = {}): DeletionPlan {
  const { machine, stands, held, onNode } = assessment;
  const drain = drainPlanOf(onNode);
  const phases = withoutNode(plannedPhases(assessment), assessment, notGiven);
  const unsure = unsureOf(assessment);
  return {
    machine: machine.ref,
    ...(stands !== undefined && { stands: { phase: stands.phase, since: stands.since } }),
    held: held.map(({ reason, message, remarks }) => ({ reason, message, ...(remarks && { remarks }) })),
    phases,
    pods: (onNode.verdicts ?? []).map(plannedPod(drain)),
    batches: drain.batches.map(({ order, pods }) => ({ order, pods: pods.map(podName) })),
    refusals: withActions(plannedRefusals(drain, onNode.refusals), assessment),
    ...withRefusalsAhead(assessment),
    volumes: plannedVolumes(assessment, notGiven),
    hooks: plannedHooks(assessment),
    ...withFunctions(assessment),
    ...outlookOf(assessment, phases),
    ...(unsure.length > 0 && { unsure }),
    message: onNode.message,
  };
}

/** Of a living Machine what DrainPolicies would do. Of one that is being deleted the Machine says where that stands. */
function withActions(
  refusals: readonly PlannedRefusal[],
  { stands, onNode: { drain } }: Assessment,
): PlannedRefusal[] {
  const prospects = stands === undefined && drain?.kind === 'judged' ? drain.blocked : [];
  const actions = new Map(prospects.map((prospect) => [podName(prospect.pod), foretoldText(prospect)]));
  return refusals.map((refusal) => {
    const action = actions.get(refusal.pod);
    return action === undefined ? refusal : { ...refusal, action };
  });
}

function withRefusalsAhead({ onNode: { refusals } }: Assessment): Pick<DeletionPlan, 'refusalsAhead'> {
  const refusalsAhead = plannedRefusalsAhead(refusals);
  return refusalsAhead.length === 0 ? {} : { refusalsAhead };
}

type Outlook = Pick<DeletionPlan, 'limits' | 'unreachable' | 'returning' | 'unawaited' | 'namespaces'>;

/** What will matter on the way: where nothing does, it is left out. */
function outlookOf(assessment: Assessment, phases: DeletionPlan['phases']): Outlook {
  const { onNode } = assessment;
  const limits = planLimits(assessment);
  const unreachable = planUnreachable(assessment, phases);
  const returning = planReturning(onNode, drainPlanOf(onNode));
  const unawaited = planUnawaited(assessment, phases);
  const namespaces = plannedNamespaces(onNode.refusals);
  return {
    ...(limits.length > 0 && { limits }),
    ...(unreachable !== undefined && { unreachable }),
    ...(returning.length > 0 && { returning }),
    ...(unawaited.length > 0 && { unawaited }),
    ...(namespaces.length > 0 && { namespaces }),
  };
}

function unsureOf({ unsure, onNode: { refusals } }: Assessment): string[] {
  const unread = refusals?.unread;
  return [...unsure, ...(unread === undefined ? [] : [`what budgets would refuse is unknown: ${unread}`])];
}

function plannedHooks({ machine, dialect, mayTouchNode, phases, hooksAhead }: Assessment): PlannedHook[] {
  if (phases.some(({ kind }) => kind === 'left')) return [];
  const at = (point: PlannedHook['point']): PlannedHook[] =>
    dialect.hooks(machine, point).map((name) => {
      const owner = dialect.hookOwner(machine, point, name);
      return {
        point,
        name,
        ...(owner !== undefined && { owner }),
        ...hooksAhead?.described.get(`${point}/${name}`),
      };
    });
  return [...(mayTouchNode ? at('pre-drain') : []), ...at('pre-terminate')];
}

function withFunctions({ hooksAhead }: Assessment): Pick<DeletionPlan, 'functions'> {
  const { hooks = [], unclear = [] } = hooksAhead ?? {};
  const functions = [
    ...hooks.map(plannedFunction),
    ...unclear.map(({ place, why }) => ({ place, unclear: why })),
  ];
  return functions.length === 0 ? {} : { functions };
}

function plannedFunction(ahead: HookAhead): PlannedFunction {
  const { name, place, timeoutSeconds, onTimeout, contact, runbook, whyNot } = ahead;
  const proceeds = onTimeout === 'Proceed' && timeoutSeconds !== undefined;
  return {
    place,
    hook: name,
    ...(contact !== undefined && { contact }),
    ...(runbook !== undefined && { runbook }),
    ...(proceeds && { proceedsAfterSeconds: timeoutSeconds }),
    ...(whyNot !== undefined && { whyNot }),
  };
}
