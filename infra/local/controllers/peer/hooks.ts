import type { Step } from './step.ts';

interface Hooks {
  point: string;
  reason: string;
  condition: string;
}

/** Waits for as long as an annotation of the prefix is there, whatever its value. */
const noHooks =
  ({ point, reason, condition }: Hooks): Step =>
  ({ machine, said }) => {
    const prefix = `${point}.delete.hook.machine.cluster.x-k8s.io`;
    const keys = Object.keys(machine.metadata.annotations ?? {}).filter((key) => key.startsWith(prefix));
    if (keys.length === 0) {
      said.set(condition, { status: 'True' });
      return undefined;
    }
    said.set(condition, { status: 'False', reason: 'WaitingExternalHook', severity: 'Info' });
    return {
      reason,
      message: `Waiting for ${point} hooks to succeed (hooks: ${keys.toSorted().join(',')})`,
    };
  };

export const preDrainHooks = noHooks({
  point: 'pre-drain',
  reason: 'WaitingForPreDrainHook',
  condition: 'PreDrainDeleteHookSucceeded',
});

export const preTerminateHooks = noHooks({
  point: 'pre-terminate',
  reason: 'WaitingForPreTerminateHook',
  condition: 'PreTerminateDeleteHookSucceeded',
});
