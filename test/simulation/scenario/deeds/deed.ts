import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { atMoments } from '../../faults/moments.ts';
import { isGoing } from '../blockers/case.ts';
import type { MachinePlan } from '../model.ts';

/** The setting of a deed. */
export interface DeedSetting extends FaultSetting {
  /** When the calm comes, by the world's clock. */
  until: number;
}

/** Something that somebody beside phaseout does while Machines go. */
interface DeedKind {
  name: string;
  about: string;
  /** Who does it. */
  who?: string;
  /** How often at most. */
  most?: number;
  /** Answers with what was done, in words; undefined where there was nothing to do it to. */
  run: (setting: DeedSetting) => string | undefined;
}

/** As a fault, with a switch of its own. */
export const deed = ({ name, about, who = 'a user', most = 2, run }: DeedKind): Fault => ({
  name,
  about,
  strike(setting) {
    const { world, lasts } = setting;
    const until = world.now() + lasts;
    atMoments(setting, most, () => {
      const done = run({ ...setting, until });
      if (done === undefined) return;
      world.say(who, done);
      world.hit(name);
    });
    return undefined;
  },
});

/** What somebody does about it after so many milliseconds, and before the calm in any case. */
export function later({ world, until }: DeedSetting, milliseconds: number, act: () => void): void {
  world.scheduler.after(Math.min(milliseconds, until - world.now() - 1), act);
}

export interface Target {
  plan: MachinePlan;
  machine: KubeObject;
}

/** One of the scenario's Machines that are there, of those that fit; rather one that is being deleted. */
export function aMachineOf(
  { world, scenario, random }: FaultSetting,
  fits: (target: Target) => boolean = () => true,
): Target | undefined {
  const there = scenario.machines.flatMap((plan) => {
    const machine = world.management.get(plan.resource, plan.namespace, plan.name);
    return machine !== undefined && fits({ plan, machine }) ? [{ plan, machine }] : [];
  });
  const going = there.filter(({ machine }) => isGoing(machine));
  return oneOf(random, going.length > 0 && random.chance(0.85) ? going : there);
}

/** Whether it is the Machine of the plan, or another one of its name. */
export const isOf = ({ namespace, name }: MachinePlan, { metadata }: KubeObject): boolean =>
  metadata.namespace === namespace && metadata.name === name;

/** The Machine as it is now; undefined where it is gone, or another one has its name. */
export function stillThere({ world }: FaultSetting, { plan, machine }: Target): KubeObject | undefined {
  const found = world.management.get(plan.resource, plan.namespace, plan.name);
  return found?.metadata.uid === machine.metadata.uid ? found : undefined;
}

/** Undefined where there is none. */
export const oneOf = <T>(random: FaultSetting['random'], items: readonly T[]): T | undefined =>
  items.length === 0 ? undefined : random.oneOf(items);

export interface OnNode {
  plan: MachinePlan;
  node: KubeObject;
}

/** The Node of one of the Machines. */
export function aNodeOf(setting: FaultSetting): OnNode | undefined {
  const target = aMachineOf(setting, (one) => nodeOfPlan(setting, one.plan) !== undefined);
  const node = target && nodeOfPlan(setting, target.plan);
  return target === undefined || node === undefined ? undefined : { plan: target.plan, node };
}

const nodeOfPlan = ({ world }: FaultSetting, { host, node }: MachinePlan): KubeObject | undefined =>
  node === undefined ? undefined : world.cluster(host).get('nodes', undefined, node);

const podsOn = ({ world }: FaultSetting, { plan, node }: OnNode): KubeObject[] =>
  world.cluster(plan.host).list('pods', { fieldSelector: `spec.nodeName=${node.metadata.name}` });

export interface OnePod extends OnNode {
  pod: KubeObject;
}

/** A Pod on the Node of one of the Machines, of those that fit. */
export function aPodOf(setting: FaultSetting, fits: (pod: KubeObject) => boolean): OnePod | undefined {
  const where = aNodeOf(setting);
  const pod = where && oneOf(setting.random, podsOn(setting, where).filter(fits));
  return where === undefined || pod === undefined ? undefined : { ...where, pod };
}

export const nameOf = ({ metadata: { namespace, name } }: KubeObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** The namespace takes new objects. */
export function takesNew({ world }: FaultSetting, host: string, namespace: string): boolean {
  const found = world.cluster(host).get('namespaces', undefined, namespace);
  return found !== undefined && !isGoing(found);
}

/** The object as somebody would make it again: under its name, without the fields of the API server. */
export function anew({ metadata, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const kept = { namespace, labels, annotations, finalizers, ownerReferences };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return structuredClone({ ...rest, metadata: { ...given, name } });
}
