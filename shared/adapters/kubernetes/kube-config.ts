import { KubeConfig } from '@kubernetes/client-node';

export type { KubeConfig } from '@kubernetes/client-node';

export type KubeConfigSource = { file: string } | { text: string } | { inCluster: true };

/** Reads a kubeconfig with its current context. Throws when it cannot be read or names no API server. */
export function loadKubeConfig(source: KubeConfigSource): KubeConfig {
  const config = new KubeConfig();
  if ('file' in source) config.loadFromFile(source.file);
  else if ('text' in source) config.loadFromString(source.text);
  else config.loadFromCluster();
  if (config.getCurrentCluster() === null) {
    throw new Error(`kubeconfig: the current context "${config.getCurrentContext()}" names no cluster`);
  }
  return config;
}
