import type { Clock } from '../../../../shared/time/clock.ts';
import type { User } from '../authorization/user.ts';
import type { KubeObject } from './cluster.ts';
import type { Owner } from '../ownership/owner.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { Registry } from '../discovery/registry.ts';
import type { Resource } from '../discovery/resource.ts';
import type { Store } from './store.ts';
import type { Wire } from '../server/wire.ts';

/** What the verbs work on. */
export interface Api {
  readonly store: Store;
  readonly registry: Registry;
  readonly wire: Wire;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Which object or collection a request is about. */
export interface Target {
  readonly resource: Resource;
  readonly version: string;
  readonly namespace: string | undefined;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** How a write is meant. */
export interface WriteOptions {
  /** All is done but storing. */
  readonly dryRun?: boolean;
  /** The whole object came from the client, as with PUT. */
  readonly isReplacement?: boolean;
  readonly isPatch?: boolean;
  /** What to do about unknown fields: `Warn` unless said otherwise. */
  readonly fieldValidation?: string;
  /** Takes the texts of Warning headers. */
  readonly warn?: (text: string) => void;
  /** Who asks; the API server itself when it is not said. */
  readonly user?: User;
  /** The name under which fields are to be owned, if one was given. */
  readonly manager?: string;
  /** The program that asks, which names the owner when nothing else does. */
  readonly agent?: string;
  /** An apply takes fields from those who own them. */
  readonly force?: boolean;
  /** Whose fields are whose after an apply. */
  readonly owners?: readonly Owner[];
}

/** The clock's reading as Kubernetes writes it: whole seconds. */
export function timestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

export function existing(api: Api, target: Target): KubeObject | undefined {
  return api.store.get(target.resource.storage, target.namespace, target.name);
}

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
