import { expect, test } from 'vitest';
import { passedHeaders } from '../../../../infra/local/eventing/http-binding.ts';

test.each([
  ['x-request-id', 'X-Request-Id'],
  ['retry-after', 'Retry-After'],
  ['traceparent', 'Traceparent'],
  ['tracestate', 'Tracestate'],
  ['knative-name', 'Knative-Name'],
  ['x-b3-traceid', 'X-B3-Traceid'],
])('the header %s travels with an event, as %s', (name, passed) => {
  expect(passedHeaders({ [name]: 'value' })).toEqual({ [passed]: 'value' });
});

test.each(['authorization', 'content-type', 'ce-id', 'prefer', 'my-traceparent', 'x-request-id-of-mine'])(
  'the header %s ends at the Broker',
  (name) => {
    expect(passedHeaders({ [name]: 'value' })).toEqual({});
  },
);
