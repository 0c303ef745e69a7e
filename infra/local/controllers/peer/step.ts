import type { Instant } from '../../../../shared/time/clock.ts';
import { parseGoDuration } from '../../../../shared/time/duration.ts';
import { ApiError } from '../../kubernetes/objects/cluster.ts';
import { numberAt, textAt } from '../../kubernetes/server/json.ts';
import { type Condition, type Node, toTime } from '../machinery/objects.ts';
import { type EventFields, recordEvent } from '../machinery/record-event.ts';
import { type World } from '../machinery/world.ts';
import type { Machine } from '../machines/apis.ts';

/** What a condition of Cluster API's older version says; its True has no reason. */
export type Said = Pick<Condition, 'status' | 'reason' | 'severity' | 'message'>;

/** Where the Machines are, and where their Nodes are. */
export interface Places {
  readonly world: World;
  readonly nodes: World;
}

/** One look at a Machine that is being deleted. */
export interface Pass extends Places {
  readonly machine: Machine;
  /** Empty if it is not known. */
  readonly nodeName: string;
  readonly node: Node | undefined;
  /** What the steps say in the older version's conditions, by type. */
  readonly said: Map<string, Said>;
  /** When the drain and the wait for volumes began: `status.deletion`. */
  readonly times: Record<string, string>;
}

/** Why the deletion does not go on; `again`: it is looked at after a while, and not before. */
export interface Wait {
  reason: string;
  message: string;
  again?: true;
}

/** One part of a deletion: undefined once it is done. */
export type Step = (pass: Pass) => Wait | undefined;

interface Limited {
  exclusion: string;
  start: string;
  limit: 'nodeDrainTimeout' | 'nodeVolumeDetachTimeout';
}

/** A step with a time limit, which an annotation takes away. Says when it began; undefined if it is left out. */
export function begun({ machine, times, world }: Pass, { exclusion, start, limit }: Limited) {
  if (machine.metadata.annotations?.[`machine.cluster.x-k8s.io/${exclusion}`] !== undefined) return undefined;
  const now = world.clock.now();
  const since = times[start];
  const seconds = secondsAt(machine, limit);
  if (since !== undefined && seconds > 0 && isOver(since, seconds, now)) return undefined;
  times[start] = since ?? toTime(now);
  return times[start];
}

/** v1beta2 has whole seconds, v1beta1 a duration. None is no limit. */
function secondsAt({ spec }: Machine, limit: Limited['limit']): number {
  const nanoseconds = parseGoDuration(textAt(spec, limit)) ?? 0n;
  return numberAt(spec, 'deletion', `${limit}Seconds`) ?? Number(nanoseconds / 1_000_000_000n);
}

const isOver = (since: string, seconds: number, now: Instant): boolean =>
  now - Date.parse(since) >= seconds * 1000;

/** An Event that is refused, as in a namespace that is going, stops nothing. */
export function tell({ world, machine }: Pass, fields: Pick<EventFields, 'reason' | 'message'>): void {
  try {
    recordEvent(world, machine, { type: 'Normal', component: 'machine-controller', ...fields });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
