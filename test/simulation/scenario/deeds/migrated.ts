import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { Fault } from '../../faults/fault.ts';
import { isGoing } from '../blockers/case.ts';
import { aMachineOf, type DeedSetting, deed, later, nameOf, stillThere, type Target } from './deed.ts';

type Api = 'MachineAPI' | 'ClusterAPI';
type Step = { spec: Api } | { status: Api | 'Migrating' };

/** First it is asked for, then it is under way, then it is so. */
const away: readonly Step[] = [
  { status: 'MachineAPI' },
  { spec: 'ClusterAPI' },
  { status: 'Migrating' },
  { status: 'ClusterAPI' },
];
const back: readonly Step[] = [{ spec: 'MachineAPI' }, { status: 'Migrating' }, { status: 'MachineAPI' }];

const mayMove = ({ plan, machine }: Target): boolean =>
  plan.api === 'openshift' && textAt(machine, 'spec', 'authoritativeAPI') === '';

const migration: Fault = deed({
  name: 'machine-migrates',
  about:
    'A Machine of OpenShift moves to Cluster API, one write after the other, some right as it is deleted, and most come back so.',
  who: 'an operator',
  run(setting) {
    const target = aMachineOf(setting, mayMove);
    if (target === undefined) return undefined;
    if (isGoing(target.machine) || setting.random.chance(0.3)) begin(setting, target);
    else onceDeleted(setting, target);
    return `is to move the Machine ${nameOf(target.machine)} to Cluster API`;
  },
});

/** Between two writes anybody may look, and act. */
export const machineMigrates: Fault = { ...migration, often: 0.5 };

function onceDeleted(setting: DeedSetting, target: Target): void {
  const { world, until } = setting;
  const { uid } = target.machine.metadata;
  const stop = world.management.watch(target.plan.resource, ({ object }) => {
    if (object.metadata.uid !== uid || !isGoing(object)) return;
    stop();
    if (world.now() < until) world.scheduler.after(0, () => begin(setting, target));
  });
}

function begin(setting: DeedSetting, target: Target): void {
  const { random } = setting;
  const longest = random.oneOf([200, 2_000, 10_000, 60_000]);
  let after = 0;
  for (const step of random.chance(0.8) ? [...away, ...back] : away) {
    later(setting, after, () => move(setting, target, step));
    after += random.between(0, longest);
  }
}

function move(setting: DeedSetting, target: Target, step: Step): void {
  const found = stillThere(setting, target);
  if (found === undefined) return;
  const { world } = setting;
  const { resource } = target.plan;
  if ('spec' in step) world.management.patch(resource, found, { spec: { authoritativeAPI: step.spec } });
  else world.management.patch(resource, found, { status: { authoritativeAPI: step.status } }, 'status');
  const [[part, authority] = []] = Object.entries(step);
  world.say('an operator', `sets ${part}.authoritativeAPI of the Machine ${nameOf(found)} to ${authority}`);
}
