import { UsageError } from '../../terminal/usage-error.ts';

const units: Readonly<Record<string, number>> = {
  d: 24 * 60 * 60 * 1_000,
  h: 60 * 60 * 1_000,
  m: 60 * 1_000,
  s: 1_000,
};

/** Milliseconds of `2h`, `1h30m` or `3d`. Throws UsageError. */
export function agoOf(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (!isWhole)
    throw new UsageError(`--since takes a time such as 30m, 2h or 3d, not ${JSON.stringify(text)}`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
}
