import { KubeConfig } from '@kubernetes/client-node';

export type { KubeConfig } from '@kubernetes/client-node';

export type KubeConfigSource = { file: string } | { text: string } | { inCluster: true };

/** Reads a kubeconfig with its current context. Throws when it cannot be read or names no API server. */
export function loadKubeConfig(source: KubeConfigSource): KubeConfig {
  const config = new KubeConfig();
  if ('file' in source) config.loadFromFile(source.file);
  else if ('text' in source) config.loadFromString(source.text);
  else config.loadFromCluster();
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw new Error(`the current context "${config.getCurrentContext()}" names no cluster`);
  }
  if (!/^https?:$/.test(URL.parse(cluster.server)?.protocol ?? '')) {
    throw new Error('the server address is no http or https URL');
  }
  return config;
}
