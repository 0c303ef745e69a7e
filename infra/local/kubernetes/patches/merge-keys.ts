/** The lists of the built-in kinds that merge item by item in a strategic merge patch, by the end of their path. */
const mergeKeys: Readonly<Record<string, string>> = {
  '.metadata.ownerReferences': 'uid',
  '.spec.containers': 'name',
  '.spec.initContainers': 'name',
  '.spec.ephemeralContainers': 'name',
  '.spec.volumes': 'name',
  '.spec.imagePullSecrets': 'name',
  '.spec.hostAliases': 'ip',
  '.spec.topologySpreadConstraints': 'topologyKey',
  '.spec.taints': 'key',
  '.spec.ports': 'port',
  '.containers.env': 'name',
  '.containers.ports': 'containerPort',
  '.containers.volumeMounts': 'mountPath',
  '.containers.volumeDevices': 'devicePath',
  '.initContainers.env': 'name',
  '.initContainers.volumeMounts': 'mountPath',
  '.status.conditions': 'type',
  '.status.addresses': 'type',
  '.status.podIPs': 'ip',
  '.secrets': 'name',
  '.imagePullSecrets': 'name',
};

/** Taints are replaced as a whole, although Nodes are patched as maps elsewhere. */
const atomic = new Set(['.spec.taints']);

const sets = new Set(['.metadata.finalizers']);

export function mergeKeyOf(path: string): string | undefined {
  if (atomic.has(path)) return undefined;
  const suffix = Object.keys(mergeKeys).find((end) => path.endsWith(end));
  return suffix === undefined ? undefined : mergeKeys[suffix];
}

export function mergesAsSet(path: string): boolean {
  return sets.has(path);
}
