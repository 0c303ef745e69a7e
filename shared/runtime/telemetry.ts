import type { Machine, MachineRef } from '../machine/machine.ts';
import { type TraceContext, traceAnnotation, traceId, traceOf } from '../machine/trace-context.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from './environment.ts';
import type { InstanceLog } from './log.ts';
import type { Attributes, Tracing } from './tracing.ts';

type Traced = Pick<Environment, 'tracing'>;

/** The current trace, for a command that goes on from here. */
export const currentTrace = ({ tracing }: Traced): { trace?: TraceContext } => carrying(tracing.current());

/** The trace for a command about a Machine that was found: its deletion may have a trace already. */
export const machineTrace = ({ tracing }: Traced, machine: Machine): { trace?: TraceContext } =>
  carrying(traceOf(machine) ?? tracing.current());

const carrying = (trace: TraceContext | undefined): { trace?: TraceContext } =>
  trace === undefined ? {} : { trace };

/** Written beside the first checkpoint. The first trace stays, whichever instance goes on with the deletion. */
export function traceAnnotations({ tracing }: Traced, machine: Machine): Record<string, string> {
  const trace = tracing.current();
  if (trace === undefined || traceOf(machine) !== undefined) return {};
  return { [traceAnnotation]: trace.traceparent };
}

/** The same log, with the trace in each line if there is one. */
export function withTraceLog(log: InstanceLog, tracing: Tracing): InstanceLog {
  const trace = tracing.current();
  return trace === undefined ? log : log.child({ trace: traceId(trace) });
}

/** Which Machine a span is about. */
export const ofMachine = ({ apiVersion, namespace, name, uid }: MachineRef): Attributes => ({
  'phaseout.machine.api_version': apiVersion,
  'phaseout.machine.namespace': namespace,
  'phaseout.machine.name': name,
  'phaseout.machine.uid': uid,
});

/** The same, and where its deletion stands. */
export const ofSubject = ({ machine, checkpoint }: Subject): Attributes => ({
  ...ofMachine(machine.ref),
  'phaseout.phase': checkpoint.phase,
  'phaseout.seq': checkpoint.seq,
});

/** As Kubernetes' logs name objects. */
export const aboutMachine = ({ namespace, name, uid }: MachineRef): { Machine: string; uid: string } => ({
  Machine: `${namespace}/${name}`,
  uid,
});

/** The environment with a log that names the Machine, and the trace, in every line. */
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
