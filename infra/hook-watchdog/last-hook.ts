import { createHash } from 'node:crypto';
import { hasHook, type OurHook } from '../../shared/dialects/beside/hook.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { readOr } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { events } from '../../shared/kubernetes/resources.ts';
import { type Instant, rfc3339Seconds } from '../../shared/time/clock.ts';
import type { HookedApi } from '../hook/hooked-apis.ts';
import { deletionHooksOf } from '../hook/list-hooks.ts';
import { unaskedAt } from '../hook/unasked.ts';

/**
 * Why our hook before the end of the server stays, although phaseout is gone. It goes only where all whose functions were
 * to be asked say so. Undefined where it goes.
 */
export async function whyLastStays(
  kubernetes: Pick<Kubernetes, 'discover' | 'list'>,
  machine: KubeObject,
  { hooks, dialect }: HookedApi,
): Promise<string | undefined> {
  if (!hasHook(machine, hooks.PreTerminate)) return undefined;
  const { namespace = '' } = machine.metadata;
  const known = await readOr(undefined, () => deletionHooksOf(kubernetes, { namespace }));
  // What was asked is on the Machine: no list is needed for that.
  const unasked = unaskedAt('PreTerminate', machine, dialect, known ?? []);
  const holding = unasked.filter(({ whenGone }) => whenGone === 'Hold').map(({ name }) => name);
  if (holding.length > 0) return `whenGone is Hold in DeletionHook ${holding.join(', ')}`;
  return known === undefined && unasked.length === 0 ? 'its DeletionHooks cannot be listed' : undefined;
}

const hourMilliseconds = 3_600_000;

/** Tells on the Machine that it waits for phaseout, once in each hour. A repeat has the same name, and is refused. */
export async function tellHeld(
  kubernetes: Pick<Kubernetes, 'create'>,
  machine: KubeObject,
  { hook, why, now }: { hook: OurHook; why: string; now: Instant },
): Promise<void> {
  const { name, namespace = '', uid = '' } = machine.metadata;
  const identity = `${uid}|${Math.floor(now / hourMilliseconds)}|${why}`;
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const time = rfc3339Seconds(now);
  const component = 'phaseout-dead-man';
  const { apiVersion = '', kind = 'Machine' } = machine;
  await readOr(undefined, () =>
    kubernetes.create(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 236).replace(/[-.]+$/, '')}.${hash}`, namespace },
      involvedObject: { apiVersion, kind, namespace, name, uid },
      type: 'Warning',
      reason: 'DeletionHeld',
      message: `phaseout is gone, and ${hook.name} holds the end of the server: ${why}`.slice(0, 1024),
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    }),
  );
}
