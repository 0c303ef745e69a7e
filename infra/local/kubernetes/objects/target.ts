import type { User } from '../authorization/user.ts';
import type { Resource } from '../discovery/resource.ts';
import type { Owner } from '../ownership/owner.ts';

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
  /** The field manager, if one was given. */
  readonly manager?: string;
  /** The program that asks, which names the owner when nothing else does. */
  readonly agent?: string;
  /** An apply takes fields from their owners. */
  readonly force?: boolean;
  /** Whose fields are whose after an apply. */
  readonly owners?: readonly Owner[];
}
