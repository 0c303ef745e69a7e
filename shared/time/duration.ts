const nanosecondsIn: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  // Both code points that look like a micro sign are in use: U+00B5 and U+03BC.
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const largest = 2n ** 63n - 1n;
const largestSeconds = 2_147_483_647n;
const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/gy;

/**
 * Reads a duration as Go writes it (`1h2m3.5s`, `-10s`, `0`), in nanoseconds. Undefined when it is none, or too
 * long for 64 bits.
 */
export function parseGoDuration(text: string): bigint | undefined {
  const sign = /^[-+]/.exec(text)?.[0];
  const rest = sign === undefined ? text : text.slice(1);
  if (rest === '0') return 0n;
  const magnitude = sumOfParts(rest);
  if (magnitude === undefined) return undefined;
  // The negative range of 64 bits is longer by one.
  if (magnitude > (sign === '-' ? largest + 1n : largest)) return undefined;
  return sign === '-' ? -magnitude : magnitude;
}

function sumOfParts(text: string): bigint | undefined {
  const matcher = new RegExp(part);
  let sum = 0n;
  while (matcher.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = matcher.exec(text) ?? [];
    const nanoseconds = nanosecondsIn[unit];
    if (nanoseconds === undefined || whole + fraction === '') return undefined;
    sum +=
      BigInt(whole || 0) * nanoseconds +
      (BigInt(fraction || 0) * nanoseconds) / 10n ** BigInt(fraction.length);
  }
  return text === '' ? undefined : sum;
}

/** Whole milliseconds as Go writes a duration, in the largest units: `1m30s`, `1.5s`, `200ms`. */
export function goDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  if (rounded === 0) return '0s';
  if (rounded < 1_000) return `${rounded}ms`;
  const minutes = Math.floor(rounded / 60_000);
  const hours = Math.floor(minutes / 60);
  const seconds = `${(rounded % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes % 60}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/**
 * Whole seconds, cut toward zero and capped at the largest int32: what Cluster API's conversion makes of a
 * duration. So 999 ms become 0.
 */
export function wholeSeconds(nanoseconds: bigint): number {
  const seconds = nanoseconds / 1_000_000_000n;
  return Number(seconds > largestSeconds ? largestSeconds : seconds);
}
