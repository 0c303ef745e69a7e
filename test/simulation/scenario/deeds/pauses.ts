import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { annotationsOf, filterLabel } from '../blockers/case.ts';
import { aMachineOf, type DeedSetting, later, nameOf, stillThere, type Target } from './deed.ts';

const paused = 'cluster.x-k8s.io/paused';

/** Only Cluster API has such an annotation. */
export const mayBePaused = ({ plan, machine }: Target): boolean =>
  plan.api === 'capi' && !(paused in annotationsOf(machine));

/** Pauses a Machine of Cluster API, most of them for a while. */
export function pause(setting: DeedSetting, found?: Target): string | undefined {
  const target = found ?? aMachineOf(setting, mayBePaused);
  if (target === undefined) return undefined;
  // That it is there counts, whatever it says.
  const value = setting.random.fork('what a pause says').oneOf(['', 'true', 'false']);
  if (!mark(setting, target, value)) return undefined;
  forAWhile(setting, () => {
    if (mark(setting, target, null))
      setting.world.say('a user', `lets the Machine ${nameOf(target.machine)} go on`);
  });
  return `pauses the Machine ${nameOf(target.machine)}`;
}

const mark = (setting: DeedSetting, target: Target, value: string | null): boolean =>
  change(setting, target, { annotations: { [paused]: value } });

/** Answers with whether it is still there. */
function change(setting: DeedSetting, target: Target, metadata: object): boolean {
  const found = stillThere(setting, target);
  if (found === undefined) return false;
  setting.world.management.patch(target.plan.resource, found, { metadata });
  return true;
}

/** Gives a Machine of Cluster API to an installation with another watch filter; most come back. */
export function giveAway(setting: DeedSetting): string | undefined {
  const target = aMachineOf(
    setting,
    ({ plan, machine }) => plan.api === 'capi' && labelOf(machine) !== theirs,
  );
  if (target === undefined) return undefined;
  const name = nameOf(target.machine);
  label(setting, target, theirs);
  forAWhile(setting, () => {
    if (label(setting, target, labelOf(target.machine) ?? null))
      setting.world.say('a user', `labels the Machine ${name} as it was again`);
  });
  return `labels the Machine ${name} ${filterLabel}=${theirs}`;
}

const theirs = 'theirs';

const labelOf = ({ metadata: { labels } }: KubeObject): string | undefined => labels?.[filterLabel];

const label = (setting: DeedSetting, target: Target, value: string | null): boolean =>
  change(setting, target, { labels: { [filterLabel]: value } });

/** OpenShift has no pause but this one. */
export function handOver(setting: DeedSetting): string | undefined {
  const target = aMachineOf(
    setting,
    ({ plan, machine }) => plan.api === 'openshift' && textAt(machine, 'spec', 'authoritativeAPI') === '',
  );
  if (target === undefined) return undefined;
  const name = nameOf(target.machine);
  // Before the other API takes the Machine over, it has no owner. A fork leaves all other chance as it is.
  const status = setting.random.fork('how far').oneOf(['ClusterAPI', 'Migrating']);
  rule(setting, target, 'ClusterAPI', status);
  forAWhile(setting, () => {
    if (rule(setting, target, 'MachineAPI'))
      setting.world.say('a user', `has the Machine ${name} ruled by the Machine API again`);
  });
  return `has the Machine ${name} ruled by Cluster API${status === 'Migrating' ? ', which has not taken it over yet' : ''}`;
}

/** Answers with whether it is still there. */
function rule(setting: DeedSetting, target: Target, wanted: string, ruling = wanted): boolean {
  const found = stillThere(setting, target);
  if (found === undefined) return false;
  const { management } = setting.world;
  management.patch(target.plan.resource, found, { spec: { authoritativeAPI: wanted } });
  management.patch(target.plan.resource, found, { status: { authoritativeAPI: ruling } }, 'status');
  return true;
}

/** Most of them end some seconds later. */
export function forAWhile(setting: DeedSetting, end: () => void): void {
  const { random } = setting;
  if (random.chance(0.8)) later(setting, random.between(500, 20_000), end);
}
