import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { addedIn } from './json-patch.ts';
import { checkpointKey } from './machine.ts';

/** Where a Machine's annotation says that its deletion stands. */
export interface Stand {
  seq: number;
  phase: string;
  since: number;
  /** When its phase began, where the first try came long after. */
  reached: number | undefined;
  /** Of phases that were passed: how. */
  passed: ReadonlyMap<string, string>;
  node: string | undefined;
  /** When our hook was taken off. */
  released: number | undefined;
}

export const phaseOrder: readonly string[] =
  'pre-drain drain volume-detach hand-over pre-terminate infrastructure bootstrap node finalize'.split(' ');

/** Undefined where there is none that anybody could use: none at all, spoilt, or another Machine's. */
export function standOf({ metadata }: KubeObject): Stand | undefined {
  return standIn(metadata.annotations?.[checkpointKey], metadata.uid);
}

const fields = ['v', 'uid', 'seq', 'phase', 'since', 'reached', 'passed', 'node', 'released'];
const ways = ['done', 'excluded', 'timed-out', 'not-applicable'];

function standIn(text: string | undefined, uid: string | undefined): Stand | undefined {
  const record = recordAt(parsed(text ?? ''));
  const { seq, v } = record;
  const phase = textAt(record, 'phase') ?? '';
  const since = Date.parse(textAt(record, 'since') ?? '');
  const isKnown = Object.keys(record).every((field) => fields.includes(field));
  if (v !== 1 || typeof seq !== 'number' || !(seq >= 0) || record['uid'] !== uid || !isKnown)
    return undefined;
  const all = Object.entries(recordAt(record, 'passed'));
  const areDated = all.every(([, how]) => !Number.isNaN(Date.parse(textAt(how, 'since') ?? '')));
  const passed = all.map(([name, how]) => [name, textAt(how, 'as') ?? ''] as const);
  const arePassed =
    areDated && passed.every(([name, way]) => phaseOrder.includes(name) && ways.includes(way));
  if (!phaseOrder.includes(phase) || Number.isNaN(since) || !arePassed) return undefined;
  const told = textAt(record, 'reached');
  const reached = told === undefined ? undefined : Date.parse(told);
  const letGo = textAt(record, 'released');
  const released = letGo === undefined ? undefined : Date.parse(letGo);
  return { seq, phase, since, reached, passed: new Map(passed), node: textAt(record, 'node'), released };
}

/** What the checkpoint does not say, and has to for the deeds of this phase; undefined where it says all. */
export function lackOf(machine: KubeObject, phase: string, passed: readonly string[]): string | undefined {
  const stand = standOf(machine);
  if (stand?.phase !== phase) return `its checkpoint stands at ${stand?.phase ?? 'nothing'}`;
  const missing = passed.filter((each) => !stand.passed.has(each));
  return missing.length === 0
    ? undefined
    : `its checkpoint does not say how these were passed: ${missing.join(', ')}`;
}

/** The checkpoint that a request is to write; undefined where it writes none. */
export function writtenStand({ verb, body }: Exchange, machine: KubeObject): Stand | 'unusable' | undefined {
  if (verb !== 'patch') return undefined;
  const text = textAt(body, 'metadata', 'annotations', checkpointKey) ?? addedIn(body, checkpointKey);
  return text === undefined ? undefined : (standIn(text, machine.metadata.uid) ?? 'unusable');
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
