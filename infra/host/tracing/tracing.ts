import type { InstanceLog } from '../../../shared/runtime/log.ts';
import { noTracing, type Tracing } from '../../../shared/runtime/tracing.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { readTracingSettings } from './settings.ts';

interface TracingOptions {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  log: InstanceLog;
  hostname: string;
}

const off: OpenTracing = { tracing: noTracing, close: async () => undefined };

/** Traces where the environment asks for them. The SDK is loaded then and only then: it would slow every start. */
export async function openTracing({ env, clock, log, hostname }: TracingOptions): Promise<OpenTracing> {
  const reading = readTracingSettings(env, hostname);
  for (const why of reading.warnings) log.warn('Traces are not as asked for', { why });
  if (reading.kind === 'off') return off;
  const { createOtelTracing } = await import('./otel.ts');
  return createOtelTracing(reading.settings, { clock, log });
}

export interface OpenTracing {
  tracing: Tracing;
  /** Sends what is still to be sent. Never rejects. */
  close: () => Promise<void>;
}
