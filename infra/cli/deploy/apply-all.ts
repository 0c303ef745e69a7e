import { textAt } from '../../../shared/dialects/fields.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { type Applied, applyObject, NotApplied } from './apply-object.ts';
import { isKnativeService, nameOf } from './object-name.ts';
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

/** The result of an object's dry run. */
export interface Would extends Applied {
  object: KubeObject;
  /** The cluster could not be asked: what the object needs is not there yet. */
  isUntried?: boolean;
}

/**
 * Dry-runs every object before any is changed. What needs a Namespace or a ServiceAccount that is still to be created
 * cannot be tried. Throws CannotDo with everything that is refused, and with what was created before.
 */
export async function tryAll(
  site: Site,
  objects: readonly KubeObject[],
  { force, created = [] }: { force: boolean; created?: readonly string[] },
): Promise<Would[]> {
  const would: Would[] = [];
  const problems: string[] = [];
  for (const object of objects) {
    if (site.interrupted.aborted) break;
    const isEarly = would.some((other) => isNeededBy(other, object));
    const one = isEarly ? untried : await triedOnce(site, object, force);
    if (typeof one === 'string') problems.push(one);
    else would.push({ object, ...one });
  }
  if (problems.length > 0) throw new CannotDo([refusal(created), ...problems].join('\n'));
  return would;
}

const untried: Omit<Would, 'object'> = { change: 'created', fields: [], isUntried: true };

const refusal = (created: readonly string[]): string =>
  created.length === 0
    ? 'refused, and nothing was changed:'
    : `refused. Nothing was changed, but these are there now: ${created.join(', ')}. Refused are:`;

/** The problem, where there is one. */
async function triedOnce(site: Site, object: KubeObject, force: boolean): Promise<Applied | string> {
  try {
    return await applyObject(site, object, { force, dryRun: true });
  } catch (error) {
    if (error instanceof NotApplied || error instanceof Unavailable) return error.message;
    throw error;
  }
}

const isNeededBy = ({ change, object }: Would, other: KubeObject): boolean =>
  change === 'created' && (makesNamespaceOf(object, other) || makesAccountOf(object, other));

const makesNamespaceOf = ({ kind, metadata: { name } }: KubeObject, { metadata }: KubeObject): boolean =>
  kind === 'Namespace' && name === metadata.namespace;

/** From 1.20 on Serving tries a Pod for each dry run of a Service, and a Pod needs its account. */
const makesAccountOf = ({ kind, metadata }: KubeObject, other: KubeObject): boolean =>
  kind === 'ServiceAccount' &&
  isKnativeService(other) &&
  metadata.namespace === other.metadata.namespace &&
  metadata.name === textAt(other, 'spec', 'template', 'spec', 'serviceAccountName');
