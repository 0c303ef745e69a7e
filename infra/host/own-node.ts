import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Config } from '../../shared/runtime/config.ts';

/**
 * The Node that this instance runs on. The configuration says it, or else the token that the API server gave to the
 * Pod. Knative lets no container have it by the downward API unless an operator allows that. Empty if neither says.
 */
export function ownNodeOf({ ownNode, kubeconfig }: Config, kubeConfig: KubeConfig): string {
  if (ownNode !== '' || kubeconfig !== undefined) return ownNode;
  const file: unknown = kubeConfig.getCurrentUser()?.authProvider?.config?.tokenFile;
  return typeof file === 'string' ? (nodeInToken(textOf(file)) ?? '') : '';
}

/** A request would report a missing token; here it only means that the Node is unknown. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const claimsSchema = z.looseObject({
  'kubernetes.io': z.looseObject({ node: z.looseObject({ name: z.string().min(1) }) }),
});

/**
 * The Node of the Pod that a ServiceAccount's token is bound to. Undefined if the token says none, as before Kubernetes
 * 1.30. Its signature is not checked: an attacker who can change the token can change this program.
 */
export function nodeInToken(token: string): string | undefined {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  try {
    return claimsSchema.parse(JSON.parse(payload))['kubernetes.io'].node.name;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
