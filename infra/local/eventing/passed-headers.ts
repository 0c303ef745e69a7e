import type { Headers } from './http-binding.ts';
import { canonicalHeader } from './http-binding.ts';

const passed = /^(x-request-id|retry-after|traceparent|tracestate|knative-.+|x-b3-.+)$/;

/** The few request or reply headers that travel with an event through the Broker; all others end there. */
export function passedHeaders(headers: Headers): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => passed.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [canonicalHeader(name), value]));
}
