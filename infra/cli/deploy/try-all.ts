import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { type Applied, applyObject, NotApplied } from './apply-object.ts';
import type { Site } from './site.ts';

/** The result of an object's dry run. */
export interface Would extends Applied {
  object: KubeObject;
}

/**
 * Dry-runs every object before any is changed. An object in a namespace that does not exist yet cannot
 * be tried. Throws CannotDo with everything that is refused.
 */
export async function tryAll(site: Site, objects: readonly KubeObject[], force: boolean): Promise<Would[]> {
  const would: Would[] = [];
  const problems: string[] = [];
  for (const object of objects) {
    if (site.interrupted.aborted) break;
    const isEarly = would.some((other) => makesNamespaceOf(other, object));
    const one = isEarly ? untried : await triedOnce(site, object, force);
    if (typeof one === 'string') problems.push(one);
    else would.push({ object, ...one });
  }
  if (problems.length > 0) throw new CannotDo(['refused, and nothing was changed:', ...problems].join('\n'));
  return would;
}

const untried: Applied = { change: 'created', fields: [] };

/** The problem, where there is one. */
async function triedOnce(site: Site, object: KubeObject, force: boolean): Promise<Applied | string> {
  try {
    return await applyObject(site, object, { force, dryRun: true });
  } catch (error) {
    if (error instanceof NotApplied || error instanceof Unavailable) return error.message;
    throw error;
  }
}

const makesNamespaceOf = ({ change, object }: Would, { metadata }: KubeObject): boolean =>
  change === 'created' && object.kind === 'Namespace' && object.metadata.name === metadata.namespace;
