import type { Tracing } from '../../../shared/runtime/tracing.ts';

export interface OpenTracing {
  tracing: Tracing;
  /** Sends what is still to be sent. Never rejects. */
  close: () => Promise<void>;
}
