import { type TraceContext } from '../machine/trace-context.ts';

/** Attributes of a span. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a span is started with. */
export interface SpanOptions {
  /** `consumer` takes a message, `client` sends a request. Otherwise a span is internal. */
  kind?: 'consumer' | 'client';
  attributes?: Attributes;
  /** Replaces the span that this one begins in. */
  parent?: TraceContext | undefined;
  /** What led here without being its parent. */
  link?: TraceContext | undefined;
}

/** A piece of work that is under way. */
export interface Span {
  set(attributes: Attributes): void;
  fail(why: string): void;
}

/** A piece of work that is already over. */
export interface Past {
  milliseconds: number;
  attributes: Attributes;
  /** What went wrong, if something did. */
  failure?: string | undefined;
}

/** Records which work belongs together. Never throws by itself, and holds nothing up. */
export interface Tracing {
  /** Runs within a span, and what it begins is part of it. An error that it throws makes the span a failure. */
  span<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T>;
  /** Records a request of ours that was just answered, as part of the span that made it. */
  asked(name: string, past: Past): void;
  /** The current trace, for others to go on from; undefined without tracing. */
  current(): TraceContext | undefined;
}

const silentSpan: Span = { set: () => undefined, fail: () => undefined };

/** Traces nothing. */
export const noTracing: Tracing = {
  span: (_name, _options, run) => run(silentSpan),
  asked: () => undefined,
  current: () => undefined,
};
