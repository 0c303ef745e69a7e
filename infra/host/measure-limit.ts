import type { LimitState } from '../../shared/async/adaptive-limit.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';

/** Shows how many are under way and wait, and how many there may be. */
export function measureLimit(
  metrics: Metrics,
  metric: 'stepsAtOnce' | 'apiPlaces',
  { limit, underWay, waiting }: LimitState,
): void {
  const readings = Object.entries({ limit, 'under way': underWay, waiting });
  metrics.replace(
    metric,
    readings.map(([is, value]) => ({ labels: { is }, value })),
  );
}
