import type { KubeObject } from '../kubernetes/objects.ts';
import type { Report } from '../machine/report.ts';
import { choosePlace, type Place, type PlaceWait } from '../policies/choose.ts';
import type { Member, PolicyView } from '../policies/places.ts';
import { waitText } from '../policies/words.ts';
import type { Instant } from '../time/clock.ts';
import type { Decision } from './decision.ts';

/** While something is deleted, DrainPolicies are listed once in this time, for all Machines of a namespace. */
export const policiesAgeMilliseconds = 30_000;

/** All that the places of a Machine follow from, as it was read. */
export interface SeenPlaces {
  view: PolicyView;
  /** The Machine itself. */
  member: Member;
}

/** What a look knows of DrainPolicies. */
export interface PolicySources {
  /** Those of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
  list(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[] | undefined>;
  /** All that the Machine's places follow from, read now. Throws Unavailable. */
  now(): Promise<SeenPlaces>;
  /** UIDs of those in which this step has written the Machine's place. */
  taken: Set<string>;
}

/** The same, in a look of a phase. */
export interface PlacesSeen extends SeenPlaces {
  /** UIDs of the policies in which this very step has written its place. */
  taken: ReadonlySet<string>;
  /** Nothing follows from this look. */
  isForeseen: boolean;
}

/** A change of a DrainPolicy is no event, and that of the end of a Machine may be lost. */
const againSeconds = 60;
/** A sweep of everything comes far sooner. */
const longestSeconds = 23 * 3_600;

const reason = 'WaitingForDrainPolicy';

/** What follows from DrainPolicies before the drain. Undefined where none holds the Machine. */
export function decidePlaces(seen: PlacesSeen | undefined, now: Instant): Decision | undefined {
  if (seen === undefined) return undefined;
  const place = choosePlace(seen.view, seen.member, { taken: seen.taken, now });
  switch (place.kind) {
    case 'none':
    case 'pass':
      return undefined;
    case 'unclear':
      return heldUp(place.why);
    case 'wait':
      return wait(place.for, now);
    case 'take':
    case 'give-back':
      return seen.isForeseen ? undefined : write(place);
    default:
      return place satisfies never;
  }
}

/** A person has to change something. */
function heldUp(message: string): Decision {
  const report: Report = { reason, message, isHeldUp: true };
  return { kind: 'wait', until: [], report, requeueAfterSeconds: againSeconds };
}

function write({ kind, writes }: Place & { kind: 'take' | 'give-back' }): Decision {
  const names = writes.map(({ policy }) => policy.name).join(', ');
  const message =
    kind === 'take'
      ? `Taking a place of DrainPolicy ${names}`
      : `Giving back a place of DrainPolicy ${names}`;
  return { kind: 'act', effects: [{ kind: 'write-places', as: kind, writes }], report: { reason, message } };
}

function wait(why: PlaceWait, now: Instant): Decision {
  const report: Report = { reason, message: waitText(why) };
  if (why.kind === 'place') return { kind: 'wait', until: [], report, requeueAfterSeconds: againSeconds };
  const { opensAt } = why;
  if (opensAt === undefined) return heldUp(report.message);
  const seconds = Math.max(1, Math.ceil((opensAt - now) / 1_000));
  return {
    kind: 'wait',
    until: [{ kind: 'time', at: opensAt }],
    report,
    requeueAfterSeconds: Math.min(seconds, longestSeconds),
  };
}
