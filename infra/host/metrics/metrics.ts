import type { HttpResponse } from '../../../shared/http/message.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import type { Clock } from '../../../shared/time/clock.ts';

/** What the process counts, and the page that shows it. */
export interface OpenMetrics {
  metrics: Metrics;
  page: () => Promise<HttpResponse>;
}

/** Answer the first event before loading what it does not need. */
const loadAfterMilliseconds = 2_000;
/** Loads at once at this many uncounted values: a busy start must not fill the memory. */
const maxWaiting = 10_000;

/** Counts from the start. Loads the Prometheus library a little later, or when the page is requested. */
export function openMetrics(clock: Clock): OpenMetrics {
  const waiting: ((metrics: Metrics) => void)[] = [];
  let opened: Metrics | undefined;
  let opening: Promise<() => Promise<HttpResponse>> | undefined;

  async function open(): Promise<() => Promise<HttpResponse>> {
    const { createRegistry } = await import('./registry.ts');
    const registry = createRegistry(clock);
    for (const what of waiting.splice(0)) what(registry.metrics);
    opened = registry.metrics;
    return () => registry.page();
  }
  const load = () => (opening ??= open());

  function write(what: (metrics: Metrics) => void): void {
    if (opened !== undefined) return what(opened);
    if (waiting.length === 0) clock.after(loadAfterMilliseconds, () => void load());
    waiting.push(what);
    if (waiting.length >= maxWaiting) void load();
  }

  return {
    metrics: {
      count: (metric, labels) => write((metrics) => metrics.count(metric, labels)),
      observe: (metric, labels, value) => write((metrics) => metrics.observe(metric, labels, value)),
      add: (metric, labels, by) => write((metrics) => metrics.add(metric, labels, by)),
      replace: (metric, readings) => write((metrics) => metrics.replace(metric, readings)),
      showAges: (metric, ages, isWhole) => write((metrics) => metrics.showAges(metric, ages, isWhole)),
    },
    page: async () => (await load())(),
  };
}
