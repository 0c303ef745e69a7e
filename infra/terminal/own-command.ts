import type { Outside } from './outside.ts';

/** What the user types before the name of a command. */
export function ownCommand({ isPlugin = false, env }: Pick<Outside, 'isPlugin' | 'env'>): string {
  if (isPlugin) return 'kubectl phaseout';
  const isScript = env['npm_package_name'] === 'phaseout' && scripts.has(env['npm_lifecycle_event'] ?? '');
  return isScript ? 'npm run phaseout --' : 'phaseout';
}

/** Those of package.json that run commands. */
const scripts: ReadonlySet<string> = new Set(['phaseout', 'start']);
