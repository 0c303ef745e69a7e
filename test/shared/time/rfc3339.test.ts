import { expect, test } from 'vitest';
import { rfc3339Seconds } from '../../../shared/time/clock.ts';

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [Date.UTC(2026, 10, 20, 12, 14, 30), '2026-11-20T12:14:30Z'],
  [Date.UTC(2026, 10, 20, 12, 14, 30, 999), '2026-11-20T12:14:30Z'],
])('%s ms is %s', (instant, text) => {
  expect(rfc3339Seconds(instant)).toBe(text);
});
