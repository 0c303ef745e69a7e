/** One metric in Prometheus' words. */
interface Definition<K extends string, L extends string> {
  kind: K;
  name: string;
  labels: readonly L[];
  meaning: string;
  /** Upper ends of a histogram's classes. */
  buckets: readonly number[];
}

export const counter = <const L extends string>(
  name: string,
  labels: readonly L[],
  meaning: string,
): Definition<'counter', L> => ({ kind: 'counter', name, labels, meaning, buckets: [] });

export const gauge = <const L extends string>(
  name: string,
  labels: readonly L[],
  meaning: string,
): Definition<'gauge', L> => ({ kind: 'gauge', name, labels, meaning, buckets: [] });

const histogram =
  (buckets: readonly number[]) =>
  <const L extends string>(
    name: string,
    labels: readonly L[],
    meaning: string,
  ): Definition<'histogram', L> => ({ kind: 'histogram', name, labels, meaning, buckets });

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const moments = [0.1, 0.5, 1, 2, 5, 10, 20];
const minutes = [1, 2, 5, 10, 20].map((number) => number * minute);
const hours = [1, 3, 12].map((number) => number * hour);
const days = [1, 3, 10].map((number) => number * day);
/** A phase may take a moment, or a person's decision. */
export const waits = histogram([...moments, ...minutes, ...hours, ...days]);
/** Answers of other systems, within their time box. */
export const answers = histogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]);
/** Delays of what should happen at once: from a broker's hop to the sweep of everything. */
export const delays = histogram([0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]);
