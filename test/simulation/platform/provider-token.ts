import type { World } from '../world.ts';

const namespace = 'phaseout';
const name = 'provider-token';

/** For the configuration of instances: where they find what the provider wants to be shown. */
export const providerSecret = `${namespace}/${name}`;

/** Makes the Secret, as phaseout is installed. */
export function buildProviderToken({ management, providerToken = '' }: World): void {
  management.create('namespaces', { metadata: { name: namespace } });
  const metadata = { namespace, name };
  management.create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata, ...dataOf(providerToken) });
}

/** Writes into the Secret what the provider wants now. */
export function handOutProviderToken({ management, providerToken = '' }: World): void {
  const secret = management.get('secrets', namespace, name);
  if (secret !== undefined) management.patch('secrets', secret, dataOf(providerToken));
}

const dataOf = (token: string) => ({ data: { token: Buffer.from(token).toString('base64') } });
