import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps what Node makes of the code for the next start, which takes half the time then. It is kept in the user's own folder,
 * for what is there is run. Node's own variables say otherwise: NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const caches = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  // Where it cannot write, Node goes on without.
  enableCompileCache(join(caches, 'phaseout'));
}
