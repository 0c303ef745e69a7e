import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { MachineRef } from '../shared/machine/machine.ts';
import { type Phase, phases } from '../shared/machine/phase.ts';

const nonEmpty = z.string().min(1);

/** The API server sends UUIDs. The table refuses a much longer key, and that refusal looks like an outage. */
export const machineUid = nonEmpty.max(128);

/**
 * Names in the Kubernetes API are at most DNS subdomains of 253 characters. The name of a version's APIService has this
 * limit too, and is as long as its apiVersion. The table refuses an item with much longer names, as it refuses a longer
 * key.
 */
export const objectName = nonEmpty.max(253);

export const machineRef = z.object({
  apiVersion: objectName,
  namespace: objectName,
  name: objectName,
  uid: machineUid,
});

export const phaseName = z.enum(phases);

/** What all events about a Machine's deletion carry; `seq` is its checkpoint's, which counts transitions. */
export const about = { machine: machineRef, phase: phaseName, seq: z.int().min(0) };

/** Triggers can filter on extensions, not on data. `partitionkey` keeps one Machine's events in one partition. */
export const aboutExtensions = { phase: phaseName, partitionkey: nonEmpty };

export interface About {
  machine: MachineRef;
  phase: Phase;
  seq: number;
}

/**
 * The attributes that tell where an event is from and which one it is. They depend only on the Machine and the content,
 * never on the instance. The same content makes the same event again.
 */
export function attributes({ machine, phase, seq }: About, ...saying: string[]) {
  const { apiVersion, namespace, name, uid } = machine;
  const subject = `/apis/${apiVersion}/namespaces/${namespace}/machines/${name}`;
  return {
    specversion: '1.0',
    id: [uid, phase, seq, ...saying].join('/'),
    source: `/phaseout${subject}`,
    subject,
    datacontenttype: 'application/json',
    phase,
    partitionkey: uid,
  } as const;
}

/** Tells facts apart that may be published more than once at one checkpoint, with other words. */
export const digest = (...words: string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 12);

/** Copies only what the contract names: what callers hold may have more. */
export function toData({ machine, phase, seq }: About): About {
  const { apiVersion, namespace, name, uid } = machine;
  return { machine: { apiVersion, namespace, name, uid }, phase, seq };
}

export const timestamp = (time: number): string => new Date(time).toISOString();
