import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { pause } from '../run/until-gone.ts';
import { nameOf } from './object-name.ts';
import { podsOfJob } from './pods-of-job.ts';
import { getsReady, type Readiness, readinessOf } from './readiness.ts';
import { keyOf, resourceOf, type Site } from './site.ts';

export interface Unready {
  object: string;
  why: string;
}

const lookMilliseconds = 1_000;

/**
 * Waits until all objects are ready and reports each change of what it waits for. Resolves with the objects that are
 * not ready, after the time limit or as soon as one fails for good.
 */
export async function untilReady(
  site: Site,
  objects: readonly KubeObject[],
  { timeoutSeconds }: { timeoutSeconds: number | undefined },
): Promise<Unready[]> {
  const { clock, interrupted } = site;
  const until = timeoutSeconds === undefined ? Infinity : clock.now() + timeoutSeconds * 1_000;
  const told = new Map<string, string>();
  let left = objects.filter(getsReady);
  for (;;) {
    const seen = await Promise.all(left.map((object) => look(site, object)));
    for (const one of seen) tellOf(site, one, told);
    const waiting = seen.filter(({ readiness }) => readiness.kind !== 'ready');
    const isOver = clock.now() >= until || waiting.some(({ readiness }) => readiness.kind === 'failed');
    if (waiting.length === 0 || isOver || interrupted.aborted) return waiting.map(unreadyOf);
    left = waiting.map(({ object }) => object);
    await pause(lookMilliseconds, clock, interrupted);
  }
}

interface Seen {
  object: KubeObject;
  readiness: Readiness;
}

async function look(site: Site, object: KubeObject): Promise<Seen> {
  try {
    const resource = await resourceOf(site, object);
    const found = resource && (await site.kubernetes.get(resource, keyOf(object)));
    const gone: Readiness = { kind: 'failed', why: 'somebody has deleted it' };
    return { object, readiness: found === undefined ? gone : await withPods(site, found) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { object, readiness: { kind: 'waiting', why: error.message } };
  }
}

/** A Job that is not done is explained by its Pods. */
async function withPods(site: Site, found: KubeObject): Promise<Readiness> {
  const readiness = readinessOf(found);
  if (found.kind !== 'Job' || readiness.kind === 'ready') return readiness;
  return { ...readiness, why: [readiness.why, ...(await podsOfJob(site, found))].join('; ') };
}

const unreadyOf = ({ object, readiness }: Seen): Unready => ({
  object: nameOf(object),
  why: readiness.kind === 'ready' ? '' : readiness.why,
});

function tellOf({ tell }: Site, { object, readiness }: Seen, told: Map<string, string>): void {
  const name = nameOf(object);
  if (readiness.kind === 'ready') return tell({ event: 'ready', object: name });
  if (told.get(name) === readiness.why) return;
  told.set(name, readiness.why);
  tell({ event: 'waiting', object: name, why: readiness.why });
}
