import { parse } from 'yaml';
import * as z from 'zod';

import type { KubeObject } from '../../kubernetes/objects.ts';
import { secretText } from '../../kubernetes/secret-text.ts';
import { type KubeConfig, loadKubeConfig } from '../kubernetes/kube-config.ts';

export type KubeConfigReading = { kind: 'read'; kubeConfig: KubeConfig } | { kind: 'broken'; why: string };

/**
 * A user who may write the Secret must not run programs in our container or send out its files. All of these would allow
 * that, so a kubeconfig from a Secret carries its certificates and tokens itself.
 */
const reachesOutside = {
  user: ['exec', 'auth-provider', 'tokenFile', 'token-file', 'client-certificate', 'client-key'],
  cluster: ['certificate-authority'],
} as const;

const settings = z.record(z.string(), z.unknown());
const kubeConfigSchema = z.looseObject({
  clusters: z.array(z.looseObject({ name: z.string(), cluster: settings })),
  users: z.array(z.looseObject({ name: z.string(), user: settings.nullish() })).nullish(),
  contexts: z.array(z.looseObject({ name: z.string() })),
  'current-context': z.string(),
});

/** The kubeconfig in the Secret's key `value`, or what is wrong with it. */
export function readSecretKubeConfig(secret: KubeObject): KubeConfigReading {
  const text = secretText(secret, 'value');
  return text === undefined ? { kind: 'broken', why: 'has no key "value"' } : parseSelfContained(text);
}

function parseSelfContained(text: string): KubeConfigReading {
  let document: unknown;
  try {
    document = parse(text, { logLevel: 'error' });
  } catch {
    // The parser's errors and warnings quote the text around them, which may be a key or a token.
    return { kind: 'broken', why: 'key "value" is no YAML' };
  }
  const config = kubeConfigSchema.safeParse(document);
  if (!config.success) {
    const paths = config.error.issues.map(({ path }) => path.join('.') || 'document').join(', ');
    return { kind: 'broken', why: `key "value" is no kubeconfig: invalid ${paths}` };
  }
  const outside = firstOutsideReference(config.data);
  if (outside !== undefined) return { kind: 'broken', why: `key "value" must be self-contained: ${outside}` };
  return load(config.data);
}

function firstOutsideReference(config: z.infer<typeof kubeConfigSchema>): string | undefined {
  for (const { name, user } of config.users ?? []) {
    const setting = reachesOutside.user.find((key) => Boolean(user?.[key]));
    if (setting !== undefined) return `user "${name}" uses ${setting}`;
  }
  for (const { name, cluster } of config.clusters) {
    const setting = reachesOutside.cluster.find((key) => Boolean(cluster[key]));
    if (setting !== undefined) return `cluster "${name}" uses ${setting}`;
  }
  return undefined;
}

/** Loads what was examined: the library must not parse the text again in its own way. */
function load(config: z.infer<typeof kubeConfigSchema>): KubeConfigReading {
  try {
    return { kind: 'read', kubeConfig: loadKubeConfig({ text: JSON.stringify(config) }) };
  } catch (error) {
    return { kind: 'broken', why: `key "value": ${error instanceof Error ? error.message : 'unusable'}` };
  }
}
