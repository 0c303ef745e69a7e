import { keptReading } from '../../async/shared-reads.ts';
import type { Kubernetes } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import { secrets } from '../../kubernetes/resources.ts';
import { secretText } from '../../kubernetes/secret-text.ts';
import type { Clock } from '../../time/clock.ts';

/** Tokens are renewed in place; a read of the Secret for each call would cost more than the call. */
const keptMilliseconds = 60_000;

/** What a header can carry. Anything else would end up in an error message about the header. */
const sendable = /^[\x21-\x7e]+$/;

/**
 * The token in the key `token` of a Secret. `current` throws Unavailable, naming the Secret, when it cannot be read,
 * is missing or has no usable token.
 */
export const secretToken = (
  kubernetes: Pick<Kubernetes, 'get'>,
  secret: { namespace: string; name: string },
  clock: Clock,
): TokenSource => keptReading(clock, keptMilliseconds, () => readToken(kubernetes, secret));

async function readToken(
  kubernetes: Pick<Kubernetes, 'get'>,
  key: { namespace: string; name: string },
): Promise<string> {
  const name = `Secret ${key.namespace}/${key.name} with the provider's token`;
  const secret = await kubernetes.get(secrets, key);
  if (secret === undefined) throw new Unavailable(`${name} does not exist`);
  const token = secretText(secret, 'token')?.trim() ?? '';
  if (token === '') throw new Unavailable(`${name} has no key "token"`);
  if (!sendable.test(token)) {
    throw new Unavailable(`${name}: key "token" has characters that no HTTP header may have`);
  }
  return token;
}

/** What proves to the provider who we are. Never logged, never part of an error. */
export interface TokenSource {
  /** Throws Unavailable. */
  current(): Promise<string>;
  /** The provider no longer takes this token: read the file again. */
  forget(): void;
}
