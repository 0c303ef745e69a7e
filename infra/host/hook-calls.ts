import { hookCall } from '../../events/hook-call.ts';
import { keptReading } from '../../shared/async/shared-reads.ts';
import { NotDelivered } from '../../shared/http/failures.ts';
import type { Outbox } from '../../shared/http/outbox/outbox.ts';
import type { Key, Kubernetes } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { secrets } from '../../shared/kubernetes/resources.ts';
import { secretText } from '../../shared/kubernetes/secret-text.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { HookCalls } from '../../shared/runtime/environment.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { deliversOf } from './deliveries.ts';
import { namedObject } from './named-object.ts';

/** A Secret that is made, or changed, counts within a minute. */
const keptMilliseconds = 60_000;

interface Around {
  management: Pick<Kubernetes, 'get' | 'list' | 'discover'>;
  outbox: Pick<Outbox, 'send'>;
  clock: Clock;
  config: Pick<Config, 'hookKey'>;
}

/** The way to the functions of DeletionHooks: through the Broker, with tokens by the key of the Secret. */
export function hookCallsOf({ management, outbox, clock, config }: Around): HookCalls {
  const named = namedObject(config.hookKey);
  const kept = keptReading(clock, keptMilliseconds, async () =>
    named === undefined ? undefined : readKey(management, named),
  );
  return {
    key: () => kept.current(),
    delivers: deliversOf({ management, clock, namespace: named?.namespace }),
    async send(call) {
      try {
        await outbox.send(hookCall(call, clock.now()));
      } catch (error) {
        if (!(error instanceof NotDelivered)) throw error;
        const { hook } = call;
        throw new Unavailable(
          `the call of DeletionHook ${hook.namespace}/${hook.name} could not be sent: ${error.message}`,
        );
      }
    },
  };
}

/** Undefined where the Secret is not there, or has no key. */
async function readKey(management: Pick<Kubernetes, 'get'>, key: Key): Promise<string | undefined> {
  return secretText(await management.get(secrets, key), 'key')?.trim() || undefined;
}
