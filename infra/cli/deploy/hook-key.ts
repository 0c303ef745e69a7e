import { randomBytes } from 'node:crypto';
import type { ApplyOutcome } from '../../../shared/adapters/kubernetes/install-client.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { hookKeyName } from '../../knative/hook-key.ts';

/** Whether it is the Secret that is made once: another key would make the answers that are under way worthless. */
export const isHookKey = ({ kind, metadata: { name } }: KubeObject): boolean =>
  kind === 'Secret' && name === hookKeyName;

const keyBytes = 32;

/** Creates the Secret with a new key, which nothing else gets to see. Throws Unavailable. */
export async function makeHookKey(
  kubernetes: Pick<Kubernetes, 'create'>,
  resource: Resource,
  object: KubeObject,
): Promise<ApplyOutcome> {
  const stringData = { key: randomBytes(keyBytes).toString('base64') };
  const outcome = await kubernetes.create(resource, { ...object, stringData });
  if (outcome.kind === 'refused') return outcome;
  // In a conflict somebody has just made it: perhaps this very call, whose answer was lost.
  return { kind: 'applied', object };
}
