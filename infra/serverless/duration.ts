const iso8601 = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const secondsIn = [86_400, 3_600, 60, 1];

/**
 * Milliseconds of an ISO 8601 duration as Knative reads delivery times. It reads tenths of a second and cuts off the
 * rest, so PT0.05S is 0. Undefined if it is not a duration of days, hours, minutes and seconds.
 */
export function durationMilliseconds(text: string): number | undefined {
  const parts = iso8601.exec(text)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  const tenths = parts.map((part, index) => tenthsOf(part ?? '0') * (secondsIn[index] ?? 0));
  return tenths.reduce((sum, part) => sum + part, 0) * 100;
}

/** Uses the digits, not arithmetic: a decimal times 10 is often a little too small. */
function tenthsOf(number: string): number {
  const [whole = '0', fraction = ''] = number.split('.');
  return Number(whole) * 10 + Number(fraction[0] ?? '0');
}
