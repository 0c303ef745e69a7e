import * as z from 'zod';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Instant } from '../../shared/time/clock.ts';

/** So long the Lease of an installation may be left alone before the installation counts as gone. */
const limitMilliseconds = 30 * 60_000;

/** Whether the installation is gone, and what shows it. */
export interface Verdict {
  isGone: boolean;
  why: string;
}

/**
 * Judges by the Lease that was read, or that the API server said is not there. `nows`: what each clock at hand says. All of
 * them must agree that it is too old, since any of them may be wrong.
 */
export function judge(lease: KubeObject | undefined, nows: readonly Instant[]): Verdict {
  if (lease === undefined) return { isGone: true, why: 'there is no Lease' };
  const signs = signsOfLife(lease);
  const age = Math.min(...nows.map((now) => ageAt(now, signs)));
  const why = `the Lease was renewed ${Math.floor(age / 1_000)} s ago`;
  return { isGone: age >= limitMilliseconds, why };
}

/** A sign from further ahead than the limit is that of a wrong clock. Where no other is left, it is in doubt: no age at all. */
function ageAt(now: Instant, signs: readonly Instant[]): number {
  const believed = signs.filter((time) => time - now <= limitMilliseconds);
  return believed.length === 0 ? 0 : Math.max(0, now - Math.max(...believed));
}

const specSchema = z.looseObject({ renewTime: z.string() });
const managedSchema = z.array(
  z.looseObject({ time: z.string().catch(''), fieldsV1: z.record(z.string(), z.unknown()).catch({}) }),
);

/**
 * When the Lease was renewed, by the clock of the writer. When the API server last stored a change of its spec, by its
 * own clock. The first clock may be behind.
 */
function signsOfLife({ metadata, spec }: KubeObject): Instant[] {
  const renewed = specSchema.safeParse(spec).data?.renewTime;
  const managed = managedSchema.safeParse(metadata['managedFields']).data ?? [];
  const stored = managed.filter(({ fieldsV1 }) => 'f:spec' in fieldsV1).map(({ time }) => time);
  return [renewed, metadata.creationTimestamp, ...stored]
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => !Number.isNaN(time));
}
