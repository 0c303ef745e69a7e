import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpResponse } from '../../../shared/http/message.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import { metricDefinitions } from '../../../shared/runtime/metrics-definitions.ts';

/** The metrics as Prometheus reads them. */
export interface MetricsRegistry {
  metrics: Metrics;
  page: () => Promise<HttpResponse>;
}

/** Every metric there is, and those of the Node process. */
export function createRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const gauges = new Map<string, Gauge>();
  for (const [key, { kind, name, meaning, labels, buckets }] of Object.entries(metricDefinitions)) {
    const common = { name, help: meaning, labelNames: [...labels], registers: [registry] };
    if (kind === 'counter') counters.set(key, new Counter(common));
    else if (kind === 'gauge') gauges.set(key, new Gauge(common));
    else histograms.set(key, new Histogram({ ...common, buckets: [...buckets] }));
  }
  return {
    metrics: {
      count: (metric, labels) => counters.get(metric)?.inc({ ...labels }),
      observe(metric, labels, value) {
        // prom-client throws for such a value, and that would break a deletion.
        if (Number.isFinite(value)) histograms.get(metric)?.observe({ ...labels }, value);
      },
      add: (metric, labels, by) => gauges.get(metric)?.inc({ ...labels }, by),
      replace(metric, readings) {
        const gauge = gauges.get(metric);
        gauge?.reset();
        for (const { labels, value } of readings) gauge?.set({ ...labels }, value);
      },
    },
    page: async () => ({
      status: 200,
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    }),
  };
}
