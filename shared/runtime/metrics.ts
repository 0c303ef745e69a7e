import type { Instant } from '../time/clock.ts';
import type { metricDefinitions } from './metrics-definitions.ts';

type Definitions = typeof metricDefinitions;
type MetricKind = 'counter' | 'histogram' | 'gauge';

/** The metrics of one kind, by the names that the code has for them. */
type Named<K extends MetricKind> = {
  [N in keyof Definitions]: Definitions[N] extends { kind: K } ? N : never;
}[keyof Definitions];

/** A value for each label of a metric, and no other. */
type LabelsOf<N extends keyof Definitions> = Readonly<Record<Definitions[N]['labels'][number], string>>;

/** One value of a gauge. */
export interface Reading<N extends Named<'gauge'> = Named<'gauge'>> {
  labels: LabelsOf<N>;
  value: number;
}

/** An instant whose age a gauge tells, in seconds. */
export interface Since<N extends Named<'gauge'> = Named<'gauge'>> {
  labels: LabelsOf<N>;
  since: Instant;
}

/** Counts what an instance does. Never throws, and holds nothing up. */
export interface Metrics {
  count<N extends Named<'counter'>>(metric: N, labels: LabelsOf<N>): void;
  observe<N extends Named<'histogram'>>(metric: N, labels: LabelsOf<N>, value: number): void;
  /** Changes one value of a gauge by so much. */
  add<N extends Named<'gauge'>>(metric: N, labels: LabelsOf<N>, by: number): void;
  /** From now on the gauge has these values and no others. */
  replace<N extends Named<'gauge'>>(metric: N, readings: readonly Reading<N>[]): void;
  /**
   * From now on the gauge tells how long ago these were, whenever it is read. Unless `isWhole`, others may not have been
   * seen. What was told of them before stays for a while.
   */
  showAges<N extends Named<'gauge'>>(metric: N, ages: readonly Since<N>[], isWhole: boolean): void;
}

/** Counts nothing. */
export const noMetrics: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  add: () => undefined,
  replace: () => undefined,
  showAges: () => undefined,
};
