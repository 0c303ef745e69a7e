import { randomBytes } from 'node:crypto';
import { type Cloud, createCloud } from '../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../infra/local/provider/serve.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { make } from '../make.ts';
import type { Site } from '../site.ts';

/** Keeps the servers of the Machine APIs that have no infrastructure objects. */
export interface TestProvider {
  cloud: Cloud;
  /** By which the functions find it. */
  environment: Record<string, string>;
  /** The token, where the functions look for it. */
  storeToken(site: Site, run: string): Promise<void>;
  close(): Promise<void>;
}

const secretName = 'provider-token';

export async function openProvider(clock: Clock, namespace: string): Promise<TestProvider> {
  const token = randomBytes(24).toString('base64url');
  const cloud = createCloud({ clock, random: Math.random, settings: { deleteSeconds: 1 } });
  const provider = await startProvider({ cloud, token });
  return {
    cloud,
    environment: {
      PHASEOUT_ACTUATOR_URL: provider.url,
      PHASEOUT_ACTUATOR_SECRET: `${namespace}/${secretName}`,
    },
    async storeToken(site, run) {
      const data = { token: Buffer.from(token).toString('base64') };
      const metadata = { name: secretName, namespace };
      await make(site, run, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data });
    },
    async close() {
      cloud.close();
      await provider.close();
    },
  };
}
