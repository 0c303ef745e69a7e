import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceContext } from '../../../shared/machine/trace-context.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Past, Span, SpanOptions, Tracing } from '../../../shared/runtime/tracing.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { SamplerName, TracingSettings } from './settings.ts';
import type { OpenTracing } from './tracing.ts';

const lastMilliseconds = 2_000;

interface Around {
  clock: Clock;
  log: InstanceLog;
}

/** Spans by OpenTelemetry's SDK, sent in batches. */
export function createOtelTracing(settings: TracingSettings, { clock, log }: Around): OpenTracing {
  complainTo(log);
  const exporter = new OTLPTraceExporter({ url: settings.url });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(settings.resource)),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    tracing: tracingBy(provider.getTracer('phaseout'), clock),
    close: () =>
      inTime(clock, provider.shutdown()).catch((error: unknown) =>
        log.warn('Spans were not sent', { error }),
      ),
  };
}

/** The exporter tries for ten seconds, but a process must not stay only for its traces. */
async function inTime(clock: Clock, sent: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const why = new Error(`the collector did not take them within ${lastMilliseconds} ms`);
  const cancel = clock.after(lastMilliseconds, () => reject(why));
  await Promise.race([sent, late]).finally(cancel);
}

const silent = { info: () => undefined, debug: () => undefined, verbose: () => undefined };

/** Logs one line if the collector is down, not one every few seconds. */
function complainTo(log: InstanceLog): void {
  const once = (level: 'warn' | 'error') => (message: string) =>
    log.once(`traces/${message}`)[level]('Spans are not sent', { why: message });
  const logger = { ...silent, error: once('error'), warn: once('warn') };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function tracingBy(tracer: Tracer, clock: Pick<Clock, 'now'>): Tracing {
  const running = new AsyncLocalStorage<OtelSpan>();
  const here = (): Context => {
    const span = running.getStore();
    return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
  };

  return {
    async span(name, options, run) {
      const span = tracer.startSpan(name, begun(options, clock), contextFor(options, here));
      try {
        return await running.run(span, () => run(handleOf(span)));
      } catch (error) {
        fail(span, error instanceof Error ? error.message : String(error));
        throw error;
      } finally {
        span.end(clock.now());
      }
    },

    asked(name, { milliseconds, attributes, failure }: Past) {
      // A request outside of a delivery, from a probe for example, belongs to no trace.
      if (running.getStore() === undefined) return;
      const endTime = clock.now();
      const startTime = endTime - milliseconds;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, here());
      if (failure !== undefined) fail(span, failure);
      span.end(endTime);
    },

    current() {
      const span = running.getStore();
      return span === undefined ? undefined : contextOf(span.spanContext());
    },
  };
}

const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

function begun({ kind, attributes = {}, link }: SpanOptions, { now }: Pick<Clock, 'now'>) {
  const links = link === undefined ? [] : [{ context: spanContextOf(link) }];
  return {
    kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
    attributes,
    links,
    startTime: now(),
  };
}

const contextFor = ({ parent }: SpanOptions, here: () => Context): Context =>
  parent === undefined ? here() : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));

const handleOf = (span: OtelSpan): Span => ({
  set: (attributes) => void span.setAttributes(attributes),
  fail: (why) => fail(span, why),
});

const fail = (span: OtelSpan, message: string): void =>
  void span.setStatus({ code: SpanStatusCode.ERROR, message });

/** The SDK's form of a context that came from somewhere else. */
function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return tracestate === undefined ? context : { ...context, traceState: createTraceState(tracestate) };
}

/** The form in which a context travels. */
function contextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize() ?? '';
  return tracestate === '' ? { traceparent } : { traceparent, tracestate };
}

type Sampling = Pick<TracingSettings, 'ratio'>;

/** By OpenTelemetry's names. `parentbased` goes by what was decided where the trace began. */
const samplers: Record<SamplerName, (sampling: Sampling) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: ({ ratio }) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: ({ ratio }) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

const samplerOf = ({ sampler, ...sampling }: TracingSettings): Sampler => samplers[sampler](sampling);
