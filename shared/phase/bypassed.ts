import type { HookPoint } from '../dialects/dialect.ts';

/** Names the hooks that are passed over: whoever has set one expects to be waited for. Goes behind the reason. */
export const sayBypassed = (point: HookPoint, hooks: readonly string[]): string =>
  hooks.length === 0 ? '' : `; its ${point} hooks are bypassed: ${hooks.join(', ')}`;
