import type { MachineRef } from '../machine/machine.ts';
import { traceId } from '../machine/trace-context.ts';
import type { Environment } from './environment.ts';

/** As Kubernetes' logs name objects. */
export const aboutMachine = ({ namespace, name, uid }: MachineRef): { Machine: string; uid: string } => ({
  Machine: `${namespace}/${name}`,
  uid,
});

/** The environment with a log whose every line says which Machine it is about, and which trace it belongs to. */
export function withMachineLog<E extends Pick<Environment, 'log' | 'tracing'>>(
  env: E,
  machine: MachineRef,
  fields: { phase?: string } = {},
): E {
  const trace = env.tracing.current();
  const about = {
    ...aboutMachine(machine),
    ...fields,
    ...(trace === undefined ? {} : { trace: traceId(trace) }),
  };
  return { ...env, log: env.log.child(about) };
}
