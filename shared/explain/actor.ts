import type { Stage } from '../assess/stage.ts';
import { actingPolicy } from '../blocked/words.ts';
import type { Dialect, HookPoint } from '../dialects/dialect.ts';
import { denyingWebhook } from '../drain/eviction-answer.ts';
import { describedBy } from '../hooks/described.ts';
import { helpText } from '../hooks/words.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { placeOf, shortHook } from '../machine/hook-call.ts';
import type { Machine } from '../machine/machine.ts';
import { mustBeCorrected, policyIn } from '../policies/words.ts';
import { listOf } from '../text/truncate.ts';
import type { Actor } from './deletion-status.ts';
import { type DrainLine, drainLines } from './drain-lines.ts';

/** Who has to act, and whether that is somebody who has to be asked to. */
export interface Acting {
  acts: Actor;
  isHeld: boolean;
}

/** A Machine, and what its namespace says of hooks. */
interface About {
  machine: Machine;
  dialect: Dialect;
  deletionHooks: readonly KubeObject[];
}

/** By the reason where that decides, else by the phase. */
export function actingIn(stage: Stage, about: About): Acting {
  const { machine, dialect } = about;
  const special = byReason(stage);
  if (special !== undefined) return special;
  if (stage.heldAt.length > 0) return hooksActing(stage.heldAt, about);
  switch (stage.phase) {
    case 'drain':
      return drainActing(stage);
    case 'volume-detach':
      return going('volumes', 'the CSI drivers of the attached volumes');
    case 'infrastructure':
      return going('infrastructure', providerOf(machine, dialect));
    case 'bootstrap':
      return going('bootstrap', `the provider of ${machine.bootstrap?.kind ?? 'the bootstrap object'}`);
    case 'finalize':
      return finalizersActing(stage, machine, dialect);
    default:
      return carrierActs(stage);
  }
}

const going = (who: Actor['who'], name: string): Acting => ({ acts: { who, name }, isHeld: false });
const held = (who: Actor['who'], name: string): Acting => ({ acts: { who, name }, isHeld: true });

const carrierActs = ({ by }: Stage): Acting =>
  by === 'phaseout' ? going('phaseout', 'phaseout') : going('controller', "the API's own controller");

/** Who has to act where something keeps everything from the Machine; undefined for all other reasons. */
export function byReason({ reason, message }: Pick<Stage, 'reason' | 'message'>): Acting | undefined {
  switch (reason) {
    case 'Paused':
      return held('operator', 'an operator: it is paused');
    case 'FailedValidate':
      return held('operator', 'an operator: the Machine lacks what its API demands');
    case 'RunsPhaseout':
      return held('operator', 'phaseout on another Machine: this one runs the instance that looks');
    case 'WaitingForDrainPolicy':
      return policyActing(message);
    case 'InternalError':
      return held('operator', 'an operator: the message says what fails');
    default:
      return /which one is the Machine's own is unknown/.test(message)
        ? held('operator', 'an operator: it is unknown which Node is its own')
        : undefined;
  }
}

/** Machines that have begun go on, or a window opens. A policy that cannot be read, or that never opens, needs somebody. */
function policyActing(message: string): Acting {
  const policy = policyIn(message);
  return policy === undefined || mustBeCorrected(message)
    ? held('operator', 'an operator: a DrainPolicy has to be corrected')
    : going('policy', `DrainPolicy ${policy}`);
}

function hooksActing(points: readonly HookPoint[], { machine, dialect, deletionHooks }: About): Acting {
  const hooks = points.flatMap((point) => dialect.hooks(machine, point).map((hook) => ({ point, hook })));
  const names = hooks.map(
    ({ point, hook }) => `${dialect.hookOwner(machine, point, hook) ?? 'unknown'} (${shortHook(hook)})`,
  );
  const { namespace } = machine.ref;
  const help = hooks.flatMap(({ point, hook }) =>
    helpText(
      describedBy(deletionHooks, { namespace, place: placeOf[point], name: shortHook(hook), machine }) ?? {},
    ),
  );
  const { acts, isHeld } = held('hook-owner', listOf(names, 3));
  return { acts: { ...acts, ...(help.length > 0 && { help: [...new Set(help)] }) }, isHeld };
}

/** Who has to act, with who can help, in one line. */
export const actorText = ({ name, help = [] }: Actor): string =>
  help.length === 0 ? name : `${name} (${help.join('; ')})`;

/** The line that says most of who has to act comes first. */
const order: readonly DrainLine['kind'][] = [
  'several-budgets',
  'budget',
  'refused',
  'back',
  'on-their-way',
  'to-complete',
];

function drainActing(stage: Stage): Acting {
  const lines = drainLines(stage.message);
  const line = order.flatMap((kind) => lines.find((each) => each.kind === kind) ?? [])[0];
  if (line === undefined) return carrierActs(stage);
  const pods = listOf(line.pods, 3);
  const policies = isRefusal(line) ? actingPolicies(lines, line) : [];
  if (policies.length > 0) return going('policy', `DrainPolicy ${policies.join(', ')}`);
  switch (line.kind) {
    case 'several-budgets':
      return held('operator', `an operator: several budgets select ${pods}`);
    case 'budget':
      return held('budget-owner', `the owner of PodDisruptionBudget ${line.budget ?? `of ${pods}`}`);
    case 'refused':
      return refusedActing(line, pods);
    case 'back':
      return held('operator', `an operator: ${pods} come back to the cordoned Node`);
    case 'on-their-way':
      return going('pods', `the Pods that stop: ${pods}`);
    default:
      return going('pods', `the Pods that have to complete: ${pods}`);
  }
}

const isRefusal = ({ kind }: DrainLine): boolean =>
  kind === 'several-budgets' || kind === 'budget' || kind === 'refused';

/** Those that do something about each Pod of a refusal, by themselves; none where they leave one alone. */
function actingPolicies(lines: readonly DrainLine[], { pods }: DrainLine): string[] {
  const ruled = lines.filter(({ kind }) => kind === 'ruled');
  const found = pods.map((pod) => {
    const line = ruled.find(({ pods: [one] }) => one === pod);
    return line && actingPolicy(line.text);
  });
  const policies = found.filter((policy) => policy !== undefined);
  return policies.length === pods.length ? [...new Set(policies)] : [];
}

function refusedActing({ text }: DrainLine, pods: string): Acting {
  const webhook = denyingWebhook(text);
  const name = webhook === undefined ? `who refuses the eviction of ${pods}` : `admission webhook ${webhook}`;
  return held('operator', name);
}

const providerOf = ({ infrastructure }: Machine, { termination }: Dialect): string =>
  termination.by === 'object' && infrastructure !== undefined
    ? `the provider of ${infrastructure.kind} ${infrastructure.name}`
    : 'the provider of servers';

function finalizersActing(stage: Stage, { finalizers }: Machine, { finalizer }: Dialect): Acting {
  const others = finalizers.filter((name) => name !== finalizer);
  return finalizers.includes(finalizer) || others.length === 0
    ? carrierActs(stage)
    : held('finalizer-owner', `the owners of the finalizers ${listOf(others, 3)}`);
}
