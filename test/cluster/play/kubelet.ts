import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { pods } from '../../../shared/kubernetes/resources.ts';
import { pathOf } from '../kinds.ts';
import type { Site } from '../site.ts';

/** On a Pod: how long it takes to stop, in milliseconds; `never` for one that stays once asked to go. */
export const stopAnnotation = 'phaseout.dev/test-stops-after';

const usualMilliseconds = 700;

/** Plays the kubelets of Nodes that are only objects. Pods become ready, and end some time after their deletion. */
export function createKubelet({ kubernetes, ask, clock }: Site): (labelSelector: string) => Promise<void> {
  const askedToGo = new Map<string, number>();

  async function look(pod: KubeObject): Promise<void> {
    const { uid = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp === undefined) return isPending(pod) ? start(pod) : undefined;
    const since = askedToGo.get(uid) ?? clock.now();
    askedToGo.set(uid, since);
    if (clock.now() - since < stopMilliseconds(pod)) return;
    const body = { gracePeriodSeconds: 0, preconditions: { uid } };
    await ask({ method: 'DELETE', path: pathOf(pods, keyOf(pod)), body });
  }

  async function start(pod: KubeObject): Promise<void> {
    const startTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: startTime,
    }));
    const status = { phase: 'Running', startTime, conditions };
    await kubernetes.mergePatch(pods, keyOf(pod), { status }, 'status');
  }

  return async (labelSelector) => {
    const { items } = await kubernetes.list(pods, { labelSelector });
    await Promise.all(items.map(look));
  };
}

function isPending({ spec, status }: KubeObject): boolean {
  return Object(status).phase === 'Pending' && Boolean(Object(spec).nodeName);
}

function stopMilliseconds({ metadata }: KubeObject): number {
  const asked = metadata.annotations?.[stopAnnotation];
  if (asked === 'never') return Infinity;
  return asked === undefined ? usualMilliseconds : Number(asked);
}
