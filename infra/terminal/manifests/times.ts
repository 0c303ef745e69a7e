const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Fields that hold a time of Kubernetes: `lastTransitionTime`, `deletionTimestamp`, `startedAt`. */
export const isTimeField = (field: string): boolean =>
  /(?:Time|Timestamp|At|Added|Updated)$|^time$/.test(field);

/** Of these the microseconds are kept. */
const micro: ReadonlySet<string> = new Set(['renewTime', 'acquireTime', 'eventTime', 'lastObservedTime']);

/** A time as an API server writes it: UTC, in whole seconds. Undefined for a text that is no time of RFC 3339. */
export function writtenTime(text: string, field: string): string | undefined {
  const [, local = '', fraction = '', offset = ''] = time.exec(text) ?? [];
  const instant = Date.parse(`${local}${offset}`);
  if (Number.isNaN(instant)) return undefined;
  const seconds = new Date(instant).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return micro.has(field) ? `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z` : `${seconds}Z`;
}
