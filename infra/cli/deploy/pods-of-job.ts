import * as z from 'zod';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { pods } from '../../../shared/kubernetes/resources.ts';
import { printable } from '../../terminal/words.ts';
import type { Site } from './site.ts';

const reasonSchema = z.looseObject({ reason: z.string().optional(), message: z.string().optional() });

const podSchema = z.looseObject({
  status: z.looseObject({
    phase: z.string().default('Pending'),
    conditions: z.array(reasonSchema.extend({ status: z.string() })).default([]),
    containerStatuses: z
      .array(
        z.looseObject({
          state: z
            .looseObject({ waiting: reasonSchema.optional(), terminated: reasonSchema.optional() })
            .optional(),
          lastState: z.looseObject({ terminated: reasonSchema.optional() }).optional(),
        }),
      )
      .default([]),
  }),
});

type PodStatus = z.infer<typeof podSchema>['status'];

/** The states of a Job's Pods: the Job itself holds only their number. Throws Unavailable. */
export async function podsOfJob({ kubernetes }: Site, { metadata }: KubeObject): Promise<string[]> {
  const { namespace, name } = metadata;
  const labelSelector = `job-name=${name}`;
  const { items } = await kubernetes.list(pods, {
    labelSelector,
    ...(namespace !== undefined && { namespace }),
  });
  return items.map((pod) => `Pod ${pod.metadata.name}: ${stateOf(pod)}`);
}

function stateOf(pod: KubeObject): string {
  const parsed = podSchema.safeParse(pod);
  if (!parsed.success) return 'its status cannot be read';
  const { status } = parsed.data;
  const why = reasonsOf(status)[0];
  return why === undefined ? status.phase : `${status.phase}, ${printable(why)}`;
}

/** The most telling first. */
function reasonsOf({ containerStatuses, conditions }: PodStatus): string[] {
  const states = containerStatuses.flatMap(({ state, lastState }) => [
    state?.terminated,
    lastState?.terminated,
    state?.waiting,
  ]);
  const unmet = conditions.filter(({ status }) => status === 'False');
  return [...states, ...unmet].flatMap((one) => {
    const said = [one?.reason, one?.message].filter(Boolean).join(': ');
    return said === '' || one?.reason === 'Completed' ? [] : [said];
  });
}
