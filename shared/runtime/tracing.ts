import { type TraceContext } from '../machine/trace-context.ts';

/** Attributes of a span. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a span is started with. */
export interface SpanOptions {
  /** `consumer` takes a message, `client` asks somebody; a span is internal otherwise. */
  kind?: 'consumer' | 'client';
  attributes?: Attributes;
  /** Instead of the span that this one is begun in. */
  parent?: TraceContext | undefined;
  /** What led here without being its parent. */
  link?: TraceContext | undefined;
}

/** A piece of work that is under way. */
export interface Span {
  set(attributes: Attributes): void;
  fail(why: string): void;
}

/** Something that is over when it is told. */
export interface Past {
  milliseconds: number;
  attributes: Attributes;
  /** What went wrong, if something did. */
  failure?: string | undefined;
}

/** Where an instance tells what belongs together. Never throws by itself, and holds nothing up. */
export interface Tracing {
  /** Runs within a span, and what it begins is part of it. What is thrown makes the span a failure. */
  span<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T>;
  /** A request of ours that was just answered, as part of the span in which it was made. */
  asked(name: string, past: Past): void;
  /** Where we are, for others to go on from; undefined where nothing is traced. */
  current(): TraceContext | undefined;
}

const silentSpan: Span = { set: () => undefined, fail: () => undefined };

/** Traces nothing. */
export const noTracing: Tracing = {
  span: (_name, _options, run) => run(silentSpan),
  asked: () => undefined,
  current: () => undefined,
};
