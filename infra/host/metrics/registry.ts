import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpResponse } from '../../../shared/http/message.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import { metricDefinitions } from '../../../shared/runtime/metrics-definitions.ts';
import { version } from '../../../shared/runtime/version.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { Ages } from './ages.ts';

const buildLabels = { version, node_version: process.version };

/** The metrics as Prometheus reads them. */
export interface MetricsRegistry {
  metrics: Metrics;
  page: () => Promise<HttpResponse>;
}

/** Every metric there is, and those of the Node process. */
export function createRegistry(clock: Pick<Clock, 'now' | 'stopwatch'>): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const gauges = new Map<string, Gauge>();
  const ages = new Map<string, Ages>();
  for (const [key, { kind, name, meaning, labels, buckets }] of Object.entries(metricDefinitions)) {
    const common = { name, help: meaning, labelNames: [...labels], registers: [registry] };
    if (kind === 'counter') counters.set(key, new Counter(common));
    else if (kind === 'gauge') gauges.set(key, new Gauge(common));
    else histograms.set(key, new Histogram({ ...common, buckets: [...buckets] }));
  }

  function set(metric: string, readings: ReturnType<Ages['readings']>): void {
    const gauge = gauges.get(metric);
    gauge?.reset();
    for (const { labels, value } of readings) gauge?.set({ ...labels }, value);
  }

  const metrics: Metrics = {
    count: (metric, labels) => counters.get(metric)?.inc({ ...labels }),
    observe(metric, labels, value) {
      // prom-client throws for such a value, and that would break a deletion.
      if (Number.isFinite(value)) histograms.get(metric)?.observe({ ...labels }, value);
    },
    add: (metric, labels, by) => gauges.get(metric)?.inc({ ...labels }, by),
    replace: set,
    showAges(metric, seen, isWhole) {
      const told = ages.get(metric) ?? new Ages(clock);
      told.replace(seen, isWhole);
      ages.set(metric, told);
    },
  };
  metrics.replace('buildInfo', [{ labels: buildLabels, value: 1 }]);
  return {
    metrics,
    async page() {
      for (const [metric, told] of ages) set(metric, told.readings());
      return {
        status: 200,
        headers: { 'content-type': registry.contentType },
        body: await registry.metrics(),
      };
    },
  };
}
