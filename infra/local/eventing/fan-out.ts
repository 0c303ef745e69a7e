import { type DeliveryContext, deliver, type Passage, type Route } from './delivery.ts';
import type { Matcher } from './filter.ts';

export interface FilteredRoute {
  matches: Matcher;
  route: Route;
}

const limitMilliseconds = 15 * 60_000;

/** Delivers to every Trigger that matches, side by side. True unless one of them lost the event. */
export async function fanOut(
  context: DeliveryContext,
  routes: readonly FilteredRoute[],
  { signal, ...rest }: Passage,
): Promise<boolean> {
  const limit = new AbortController();
  const takeBack = context.clock.after(limitMilliseconds, () =>
    limit.abort(new Error('the fan-out timed out')),
  );
  const passage = { ...rest, signal: AbortSignal.any([signal, limit.signal]) };
  const matching = routes.filter(({ matches }) => matches(rest.event.attributes));
  try {
    const outcomes = await Promise.all(matching.map(({ route }) => deliver(context, route, passage)));
    return outcomes.every(Boolean);
  } finally {
    takeBack();
  }
}
