import { randomBytes } from 'node:crypto';
import { hookKeyName, hookKeyVariable } from '../../knative/hook-key.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';

const secret = { namespace: 'phaseout', name: hookKeyName };

/** Makes the key of the tokens of DeletionHooks. Returns the variable that names it. */
export function makeHookKey(apiServer: ApiServer): Record<string, string> {
  const { cluster } = apiServer;
  if (cluster.get('secrets', secret.namespace, secret.name) === undefined) {
    apiServer.restore({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: secret.namespace } });
    const stringData = { key: randomBytes(32).toString('base64url') };
    apiServer.restore({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: secret, stringData });
  }
  return hookKeyVariable(secret.namespace);
}
