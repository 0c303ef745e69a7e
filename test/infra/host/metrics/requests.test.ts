import { describe, expect, test } from 'vitest';
import { observeApiRequest, observeStoreRequest } from '../../../../infra/host/metrics/requests.ts';
import { countedMetrics, recordedTracing } from '../../../builders/observed.ts';

function observing(observe: (observers: Parameters<typeof observeApiRequest>[0]) => void) {
  const { metrics, counted } = countedMetrics();
  const { tracing, spans } = recordedTracing();
  observe({ metrics, tracing });
  return { counted, spans };
}

const asked = (code: number, resource = 'pods/eviction') =>
  observing((observers) =>
    observeApiRequest(observers, 'workload', { verb: 'create', resource, code, milliseconds: 20 }),
  );

describe('a request to an API server', () => {
  test('is counted by verb, resource, answer and side, and is a span', () => {
    const { counted, spans } = asked(429);
    expect(counted).toEqual([
      'apiRequests cluster=workload verb=create resource=pods/eviction code=429',
      'apiRequestSeconds cluster=workload verb=create 0.02',
    ]);
    expect(spans).toMatchObject([
      { name: 'create pods/eviction', attributes: { 'http.response.status_code': 429 } },
    ]);
  });

  test('for what there is counts as one resource: every group has a path of its own', () => {
    const { counted, spans } = asked(200, '/apis/infrastructure.cluster.x-k8s.io/v1beta1');
    expect(counted[0]).toBe('apiRequests cluster=workload verb=create resource=discovery code=200');
    expect(spans[0]?.name).toBe('create discovery');
  });

  test.each([
    [200, undefined],
    [404, undefined],
    [409, undefined],
    [500, 'status 500'],
    [0, 'no answer'],
  ])('answered with %d is a failure: %s', (code, failure) => {
    expect(asked(code).spans[0]?.failure).toBe(failure);
  });
});

test('a request to DynamoDB is counted by what was asked and what came of it, and is a span', () => {
  const { counted, spans } = observing((observers) =>
    observeStoreRequest(observers, {
      operation: 'Query',
      outcome: 'failed',
      milliseconds: 2_000,
      failure: 'TimeoutError',
    }),
  );
  expect(counted).toEqual([
    'storeRequests operation=Query outcome=failed',
    'storeRequestSeconds operation=Query 2',
  ]);
  expect(spans).toMatchObject([{ name: 'DynamoDB Query', failure: 'TimeoutError' }]);
});
