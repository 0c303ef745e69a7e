import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import type { Key } from '../../../shared/kubernetes/client.ts';
import { pathOf, resources } from '../kinds.ts';
import type { Site } from '../site.ts';

const tokenSchema = z.looseObject({ status: z.looseObject({ token: z.string() }) });

const tokenSeconds = 3 * 3_600;

/** The text of a kubeconfig for this ServiceAccount alone. */
export async function kubeconfigOf(site: Site, account: Key): Promise<string> {
  const path = `${pathOf(resources.serviceAccounts, account)}/token`;
  const spec = { expirationSeconds: tokenSeconds };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = await site.ask({ method: 'POST', path, body });
  const reading = tokenSchema.safeParse(answer.body);
  if (!reading.success) {
    throw new Error(
      `no token for ServiceAccount ${account.namespace}/${account.name}: ${JSON.stringify(answer.body)}`,
    );
  }
  const cluster = { server: site.server, ...trustOf(site) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token: reading.data.status.token } }],
  });
}

/** The certificate itself: a path would lead nowhere once it is in a Secret. */
function trustOf({ kubeConfig }: Site): object {
  const cluster = kubeConfig.getCurrentCluster();
  const data = cluster?.caData ?? (cluster?.caFile ? readFileSync(cluster.caFile, 'base64') : undefined);
  const trust = data === undefined ? {} : { 'certificate-authority-data': data };
  return cluster?.skipTLSVerify === true ? { ...trust, 'insecure-skip-tls-verify': true } : trust;
}

/** Only its owner on this machine may read it. */
export async function writeKubeconfig(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.kubeconfig`);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}
