import type { Standing } from '../../shared/async/adaptive-limit.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';

/** Shows how many are under way and wait, and how many there may be. */
export function tellStanding(
  metrics: Metrics,
  metric: 'stepsAtOnce' | 'apiPlaces',
  { limit, underWay, waiting }: Standing,
): void {
  const readings = Object.entries({ limit, 'under way': underWay, waiting });
  metrics.replace(
    metric,
    readings.map(([is, value]) => ({ labels: { is }, value })),
  );
}
