import type { TraceContext } from '../../shared/machine/trace-context.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';
import type { SpanOptions, Tracing } from '../../shared/runtime/tracing.ts';

/** Metrics that are read as lines: `evictions machine_api=cluster-api answer=accepted cause=`. */
export function countedMetrics(): { metrics: Metrics; counted: string[] } {
  const counted: string[] = [];
  const write = (metric: string, labels: Readonly<Record<string, string>>, value?: number): void => {
    const pairs = Object.entries(labels).map(([name, word]) => `${name}=${word}`);
    counted.push([metric, ...pairs, ...(value === undefined ? [] : [String(value)])].join(' '));
  };
  const metrics: Metrics = {
    count: write,
    observe: write,
    add: write,
    replace(metric, readings) {
      if (readings.length === 0) write(metric, {});
      for (const { labels, value } of readings) write(metric, labels, value);
    },
    showAges(metric, ages) {
      for (const { labels, since } of ages) write(metric, labels, since);
    },
  };
  return { metrics, counted };
}

interface RecordedSpan extends SpanOptions {
  name: string;
  /** Names of the spans around it, the outermost first. */
  within: string[];
  failure?: string;
}

/** Tracing that keeps what it is told; everything is within the one trace given. Spans are nested by name. */
export function recordedTracing(trace?: TraceContext): { tracing: Tracing; spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const open: string[] = [];
  const tracing: Tracing = {
    async span(name, options, run) {
      const span: RecordedSpan = { name, ...options, within: [...open] };
      spans.push(span);
      open.push(name);
      try {
        return await run({
          set: (attributes) =>
            void Object.assign(span, { attributes: { ...span.attributes, ...attributes } }),
          fail: (why) => void (span.failure = why),
        });
      } finally {
        open.splice(open.lastIndexOf(name), 1);
      }
    },
    asked: (name, { attributes, failure }) =>
      void spans.push({ name, attributes, within: [...open], ...(failure === undefined ? {} : { failure }) }),
    current: () => trace,
  };
  return { tracing, spans };
}
