import { readFileSync } from 'node:fs';
import path from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';

import { isRecord } from '../../kubernetes/objects.ts';

export type { KubeConfig } from '@kubernetes/client-node';

export type KubeConfigSource = { file: string; context?: string } | { text: string } | { inCluster: true };

/** A kubeconfig has other contexts than the one that counts. */
export class NoSuchContext extends Error {
  /** The names of its contexts. */
  readonly known: readonly string[];

  constructor(context: string, known: readonly string[]) {
    super(`the current context "${context}" names no cluster`);
    this.name = 'NoSuchContext';
    this.known = known;
  }
}

/** Reads a kubeconfig, for its current context or the named one. Throws when it is of no use. */
export function loadKubeConfig(source: KubeConfigSource): KubeConfig {
  const config = read(source);
  if ('file' in source && source.context !== undefined) config.setCurrentContext(source.context);
  const current: string | undefined = config.getCurrentContext();
  const known = config.getContexts().map(({ name }) => name);
  if (current && !known.includes(current)) throw new NoSuchContext(current, known);
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw new Error(
      current ? `the current context "${current}" names no cluster` : 'it has no current context',
    );
  }
  if (!/^https?:$/.test(URL.parse(cluster.server)?.protocol ?? '')) {
    throw new Error('the server address is no http or https URL');
  }
  return config;
}

function read(source: KubeConfigSource): KubeConfig {
  const config = new KubeConfig();
  if ('inCluster' in source) {
    config.loadFromCluster();
  } else if ('text' in source) {
    config.loadFromString(withTokenFiles(source.text, '.'));
  } else {
    const folder = path.dirname(source.file);
    config.loadFromString(withTokenFiles(readFileSync(source.file, 'utf8'), folder));
    config.makePathsAbsolute(folder);
  }
  return config;
}

/**
 * kubectl reads `tokenFile`, but the library ignores it and would go on without credentials. Given as the provider that
 * the library knows, the file is also read again when its token rotates.
 */
function withTokenFiles(text: string, folder: string): string {
  // Warnings of the parser's would quote the text around them, which may be a token.
  const config: unknown = parse(text, { logLevel: 'error' });
  if (!isRecord(config)) throw new Error('it is no kubeconfig');
  const { users } = config;
  for (const named of Array.isArray(users) ? users : []) {
    const user: unknown = isRecord(named) ? named['user'] : undefined;
    if (!isRecord(user) || typeof user['tokenFile'] !== 'string' || user['token']) continue;
    const tokenFile = path.resolve(folder, user['tokenFile']);
    user['auth-provider'] = { name: 'tokenFile', config: { tokenFile } };
  }
  return JSON.stringify(config);
}
