import type { World } from '../../world.ts';

const namespace = 'phaseout';
const name = 'phaseout-hook-key';

/** For the configuration of instances: the key of the tokens of calls. */
export const hookKeySecret = `${namespace}/${name}`;

/** Makes the Secret, as phaseout is installed. */
export function buildHookKey({ management }: World): void {
  if (management.get('namespaces', undefined, namespace) === undefined)
    management.create('namespaces', { metadata: { name: namespace } });
  const data = { key: Buffer.from('a key that nobody knows').toString('base64') };
  management.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data });
}
