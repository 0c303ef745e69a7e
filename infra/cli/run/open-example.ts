import { opened } from '../../local/apis/opened.ts';
import type { HookFunction } from '../../local/eventing/hook-trigger.ts';
import { exampleHook, serveExampleHook } from '../../local/examples/hook-function.ts';
import type { ExampleName } from '../../local/examples/names.ts';
import { readExample } from '../../local/examples/read-example.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../local/platform/platform.ts';

interface ExampleOptions extends PlatformOptions {
  hooks: readonly HookFunction[];
}

/** An example fleet. Where its Machines wait for a function, that runs in this process, unless another one is named. */
export async function openExample(name: ExampleName, options: ExampleOptions): Promise<Platform> {
  const manifests = await readExample(name);
  const isOwn = options.hooks.some(({ hook }) => hook === exampleHook);
  if (name !== 'hooks' || isOwn) return startPlatform({ ...options, manifests });
  return opened(async (closing) => {
    const served = await serveExampleHook(options.clock);
    closing.defer(() => served.close());
    const hooks = [...options.hooks, { hook: exampleHook, url: served.url }];
    const platform = await startPlatform({ ...options, manifests, hooks });
    closing.defer(() => platform.close());
    return { ...platform, close: () => closing.disposeAsync() };
  });
}
