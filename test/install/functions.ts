import type { Resource } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { pods } from '../../shared/kubernetes/resources.ts';
import { atRestAnnotation } from '../../shared/runtime/ping-schedule.ts';
import { pathOf } from '../cluster/kinds.ts';
import { home, type Stage } from './stage.ts';

const pingSources: Resource = { group: 'sources.knative.dev', version: 'v1', plural: 'pingsources' };
const revisions: Resource = { group: 'serving.knative.dev', version: 'v1', plural: 'revisions' };
const ofService = 'serving.knative.dev/service=phaseout';

/** The Pods of the functions. */
async function allInstances({ site }: Stage): Promise<KubeObject[]> {
  const { items } = await site.kubernetes.list(pods, { namespace: home, labelSelector: ofService });
  return items;
}

/** Those that are not on their way out. */
export const instances = async (stage: Stage): Promise<KubeObject[]> =>
  (await allInstances(stage)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);

export async function revisionNames({ site }: Stage): Promise<string[]> {
  const { items } = await site.kubernetes.list(revisions, { namespace: home, labelSelector: ofService });
  return items.map(({ metadata }) => metadata.name).toSorted();
}

/** No instance is left, and the tick rests. */
export function untilAtZero(stage: Stage): Promise<true> {
  return stage.until('the functions to scale to zero', async () => {
    const tick = await stage.site.kubernetes.get(pingSources, { namespace: home, name: 'sweep-due' });
    const rests = Object(tick?.['spec']).schedule === tick?.metadata.annotations?.[atRestAnnotation];
    return rests && (await instances(stage)).length === 0 ? true : undefined;
  });
}

/** Each is gone without a word to its process, as with the machine that it ran on. */
export async function killInstances(stage: Stage): Promise<number> {
  const found = await allInstances(stage);
  for (const { metadata } of found) {
    const path = pathOf(pods, { namespace: home, name: metadata.name });
    await stage.site.ask({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } });
  }
  return found.length;
}
