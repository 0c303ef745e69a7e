import * as z from 'zod';
import { textAt } from '../../../../shared/dialects/fields.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { pause } from '../../run/until-gone.ts';
import { fieldManager } from '../apply-object.ts';
import { isKnativeService, nameOf } from '../object-name.ts';
import { keyOf, persistently, resourceOf, type Site } from '../site.ts';

const patienceMilliseconds = 60_000;
const lookMilliseconds = 500;

/** What a SinkBinding adds to the containers of its Service. */
const variable = 'K_SINK';

/**
 * Waits until the SinkBinding of a new Knative Service takes hold, a minute at most. A Service that comes earlier is
 * changed at once, so it gets two Revisions. A dry run of it shows whether Knative's webhook adds the Broker's address.
 * Throws Unavailable.
 */
export async function untilBound(site: Site, objects: readonly KubeObject[]): Promise<void> {
  const bindings = objects.filter(({ kind }) => kind === 'SinkBinding');
  for (const service of objects.filter(isKnativeService)) {
    const binding = bindings.find((one) => subjectOf(one) === placeOf(service));
    if (binding !== undefined) await untilServiceBound(site, service, nameOf(binding));
  }
}

async function untilServiceBound(site: Site, service: KubeObject, binding: string): Promise<void> {
  const { kubernetes, clock, interrupted, tell } = site;
  const resource = await resourceOf(site, service);
  if (resource === undefined) return;
  if ((await persistently(site, () => kubernetes.get(resource, keyOf(service)))) !== undefined) return;
  const until = clock.now() + patienceMilliseconds;
  let hasWaited = false;
  while (!interrupted.aborted) {
    const options = { fieldManager, dryRun: true };
    const outcome = await persistently(site, () => kubernetes.apply(resource, service, options));
    if (outcome.kind !== 'applied' || hasVariable(outcome.object)) break;
    if (clock.now() >= until) {
      tell({ event: 'warning', text: `${binding} has not taken hold: ${nameOf(service)} starts twice` });
      break;
    }
    if (!hasWaited) tell({ event: 'waiting', object: binding, why: 'it has not taken hold yet' });
    hasWaited = true;
    await pause(lookMilliseconds, clock, interrupted);
  }
}

const placeOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

function subjectOf(binding: KubeObject): string {
  const namespace = textAt(binding, 'spec', 'subject', 'namespace') ?? binding.metadata.namespace;
  return `${namespace}/${textAt(binding, 'spec', 'subject', 'name')}`;
}

const serviceSchema = z.looseObject({
  template: z.looseObject({
    spec: z.looseObject({
      containers: z.array(z.looseObject({ env: z.array(z.looseObject({ name: z.string() })).default([]) })),
    }),
  }),
});

const hasVariable = ({ spec }: KubeObject): boolean =>
  serviceSchema
    .safeParse(spec)
    .data?.template.spec.containers.some(({ env }) => env.some(({ name }) => name === variable)) === true;
