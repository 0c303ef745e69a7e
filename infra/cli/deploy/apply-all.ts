import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { type Applied, applyObject, NotApplied } from './apply-object.ts';
import { nameOf } from './object-name.ts';
import type { Change } from './report.ts';
import type { Site } from './site.ts';

/** Applies the objects one after the other, unless the user interrupts it. Throws CannotDo, Unavailable. */
export async function applyAll(
  site: Site,
  objects: readonly KubeObject[],
  force: boolean,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const object of objects) {
    if (site.interrupted.aborted) break;
    const { change, fields } = await applied(site, object, force);
    const differs = fields.length > 0 ? { fields } : {};
    site.tell({ event: 'object', change, object: nameOf(object), ...differs });
    changes.push(change);
  }
  return changes;
}

async function applied(site: Site, object: KubeObject, force: boolean): Promise<Applied> {
  try {
    return await applyObject(site, object, { force, dryRun: false });
  } catch (error) {
    if (error instanceof NotApplied) throw new CannotDo(error.message);
    throw error;
  }
}
