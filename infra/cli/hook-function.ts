import type { HookFunction } from '../local/eventing/hook-trigger.ts';
import { UsageError } from '../terminal/usage-error.ts';

const form = /^([^/=]+\/[^/=]+)=(.+)$/;

/** `NAMESPACE/NAME=URL`. Throws UsageError. */
export function parseHookFunction(text: string): HookFunction {
  const [, hook, address = ''] = form.exec(text) ?? [];
  if (hook === undefined)
    throw new UsageError(`--hook takes NAMESPACE/NAME=URL, not ${JSON.stringify(text)}`);
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol)) return { hook, url: url.href };
  throw new UsageError(`--hook ${hook} takes an http or https URL, not ${JSON.stringify(address)}`);
}
