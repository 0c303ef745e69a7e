import { keyOf } from '../../infra/cli/deploy/site.ts';
import type { WriteOutcome } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { isNamespaced, resourceOf } from './kinds.ts';
import { type Site, testLabel } from './site.ts';

/** Makes an object that belongs to this run; with its status, where it has one. Throws what the API server said. */
export async function make(site: Site, run: string, object: KubeObject): Promise<KubeObject> {
  const metadata = { ...object.metadata, labels: { ...object.metadata.labels, [testLabel]: run } };
  if (!isNamespaced(object)) delete metadata.namespace;
  const outcome = await site.kubernetes.create(resourceOf(object), { ...object, metadata });
  if (outcome.kind !== 'written') throw new NotMade(object, whyNot(outcome));
  return object['status'] === undefined ? outcome.object : withStatus(site, outcome.object, object['status']);
}

async function withStatus({ kubernetes }: Site, made: KubeObject, status: unknown): Promise<KubeObject> {
  const kind = { apiVersion: made.apiVersion ?? '', kind: made.kind ?? '' };
  const written = await kubernetes.mergePatch(resourceOf(kind), keyOf(made), { status }, 'status');
  if (written.kind !== 'written') throw new NotMade(made, whyNot(written));
  return written.object;
}

/** What became of a write in place of what was wanted. */
export const whyNot = (outcome: Exclude<WriteOutcome, { kind: 'written' }>): string =>
  'message' in outcome ? outcome.message : outcome.kind;

/** The API server would not have it. */
class NotMade extends Error {
  constructor({ kind, metadata }: KubeObject, why: string) {
    super(`${kind} ${metadata.name}: ${why}`);
    this.name = 'NotMade';
  }
}
