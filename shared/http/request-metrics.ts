import type { CloudEvent } from '../../events/envelope.ts';
import type { FunctionContext } from './context.ts';
import type { HttpResponse } from './message.ts';

/** Counts a request to a function, and how long it takes. */
export async function countingRequest(
  { metrics, age, function: name }: FunctionContext,
  answer: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const labels = { function: name };
  metrics.add('requestsInFlight', labels, 1);
  let status = 'none';
  try {
    const response = await answer();
    status = String(response.status);
    return response;
  } finally {
    metrics.add('requestsInFlight', labels, -1);
    metrics.count('requests', { ...labels, status });
    metrics.observe('requestSeconds', labels, age() / 1_000);
  }
}

/** How long an event was on its way, as far as it says when it set out and when a Broker had it. */
export function countAge({ metrics, clock }: FunctionContext, { type, time, ...event }: CloudEvent): void {
  const arrival = event['knativearrivaltime'];
  for (const [since, stamp] of Object.entries({ sent: time, broker: arrival })) {
    const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
    // Clocks differ: an event from the future has just been sent.
    if (!Number.isNaN(at))
      metrics.observe('eventAge', { type, since }, Math.max(0, clock.now() - at) / 1_000);
  }
}
