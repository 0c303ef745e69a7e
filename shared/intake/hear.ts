import type { KubeObject } from '../kubernetes/objects.ts';
import type { Advance } from '../machine/messages.ts';
import type { Environment } from '../runtime/environment.ts';
import { withMachineLog } from '../runtime/telemetry.ts';
import { versionToReport } from '../store/claim.ts';
import { hasBegun, isPutOff } from '../turns/turn.ts';

/**
 * Whether an event of a Machine, which asks for this step, is for us to see to now. It is not while another instance takes a
 * step of the Machine, which hears of it then. It is not where such a step has written it. Nor is it while too many wait for
 * their turn. Throws Unavailable as `isPutOff`.
 */
export async function isForUs(env: Environment, command: Advance, raw: KubeObject): Promise<boolean> {
  const { machine, resourceVersion } = command;
  const ask = async (): Promise<boolean> => {
    const isToBegin = !hasBegun(command, raw.metadata.annotations);
    if (isToBegin && (await isPutOff(withMachineLog(env, machine), command))) return false;
    return (await env.store.hear(machine.uid, versionToReport(resourceVersion))) === 'free';
  };
  return env.loadLimit === undefined ? ask() : env.loadLimit.arrive(ask);
}
