import { describe, expect, test } from 'vitest';
import { annotatedHooks } from '../../../../shared/dialects/beside/hook.ts';
import { registration } from '../../../../shared/dialects/beside/registration.ts';
import type { Machine } from '../../../../shared/machine/machine.ts';
import { anInstallation, ourHook } from '../../../builders/beside.ts';
import { aLivingMachine } from '../../../builders/living.ts';

const due = (times = '1', hook = ourHook) => ({
  kind: 'due',
  deed: 'put on',
  annotations: { [hook]: 'phaseout.dev', 'phaseout.dev/registered': times },
});
const none = { kind: 'none' };
const registered = (times: string) => ({ annotations: { 'phaseout.dev/registered': times } });
const twice = { kind: 'given-up', why: `others have taken the hook ${ourHook} off twice` };

describe('our hook', () => {
  test.each<[what: string, machine: Machine, expected: object]>([
    ['is due on a worker', aLivingMachine(), due()],
    ['is not due where it is', aLivingMachine({ annotations: { [ourHook]: 'phaseout.dev' } }), none],
    [
      'is not due where somebody else has its name',
      aLivingMachine({ annotations: { [ourHook]: 'me' } }),
      none,
    ],
    ['is due once more where somebody has taken it off', aLivingMachine(registered('1')), due('2')],
    ['is given up where others have taken it off twice', aLivingMachine(registered('2')), twice],
    ['is given up where its count says nothing', aLivingMachine(registered('often')), twice],
    [
      'is not due where another installation has its own',
      aLivingMachine({ annotations: { [`${ourHook}-blue`]: 'phaseout.dev' } }),
      none,
    ],
    [
      'is due beside a hook of others with a similar name',
      aLivingMachine({ annotations: { [`${ourHook}-blue`]: 'me', [`${ourHook}d`]: 'phaseout.dev' } }),
      due(),
    ],
    [
      'is not due once it was released',
      aLivingMachine({ annotations: { 'phaseout.dev/released': '' } }),
      none,
    ],
    [
      'is not due on what clusterctl deletes after a move',
      aLivingMachine({ annotations: { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' } }),
      none,
    ],
    ['is never due on a deleting Machine', aLivingMachine({ deletionTimestamp: 0 }), none],
    ['is not due on a control plane Machine', aLivingMachine({ isControlPlane: true }), none],
    [
      'is not due on a Machine of a pool',
      aLivingMachine({ labels: { 'cluster.x-k8s.io/pool-name': 'p' } }),
      none,
    ],
  ])('%s', (_what, machine, expected) => {
    expect(registration(machine, anInstallation(), annotatedHooks('').PreDrain)).toEqual(expected);
  });

  test.each<
    [what: string, options: Parameters<typeof anInstallation>[0], machine: Machine, expected: object]
  >([
    ['on control plane Machines', { controlPlanes: true }, aLivingMachine({ isControlPlane: true }), due()],
    [
      'on Machines of pools',
      { machinePools: true },
      aLivingMachine({ labels: { 'cluster.x-k8s.io/pool-name': 'p' } }),
      due(),
    ],
    ['not on Machines that are not selected', { selects: () => false }, aLivingMachine(), none],
    [
      'with the name of the installation',
      { installation: 'blue' },
      aLivingMachine(),
      due('1', `${ourHook}-blue`),
    ],
  ])('is due %s where the installation says so', (_what, options, machine, expected) => {
    const hook = annotatedHooks(options?.installation ?? '').PreDrain;
    expect(registration(machine, anInstallation(options), hook)).toEqual(expected);
  });
});
