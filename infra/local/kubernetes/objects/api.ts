import type { Clock } from '../../../../shared/time/clock.ts';
import type { Registry } from '../discovery/registry.ts';
import type { Target } from '../discovery/resource.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { at, listOf, textAt } from '../server/json.ts';
import type { Wire } from '../server/wire.ts';
import type { KubeObject } from './cluster.ts';
import { notFound } from './status.ts';
import type { Store } from './store.ts';

/** What the verbs work on. */
export interface Api {
  readonly store: Store;
  readonly registry: Registry;
  readonly wire: Wire;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The clock's reading as Kubernetes writes it: whole seconds. */
export function timestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

export function existing(api: Api, target: Target): KubeObject | undefined {
  return api.store.get(target.resource.storage, target.namespace, target.name);
}

/** Throws ApiError 404. */
export function mustExist(api: Api, target: Target): KubeObject {
  const object = existing(api, target);
  if (!object) throw notFound(target.resource, target.name);
  return object;
}

export const conditionIn = (object: KubeObject, type: string): unknown =>
  listOf(at(object, 'status', 'conditions')).find((one) => textAt(one, 'type') === type);

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** The five letters that a generated name ends with. */
export function nameSuffix(random: () => number): string {
  let suffix = '';
  for (let i = 0; i < 5; i++) suffix += letters[Math.floor(random() * letters.length)] ?? 'x';
  return suffix;
}

/** A random UUID (version 4) from the source of randomness that the server was given. */
export function newUid(random: () => number): string {
  const hex = (digits: number): string => {
    let text = '';
    for (let i = 0; i < digits; i++) text += hexDigits[Math.floor(random() * 16)] ?? '0';
    return text;
  };
  const variant = '89ab'[Math.floor(random() * 4)] ?? '8';
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

const hexDigits = '0123456789abcdef';
