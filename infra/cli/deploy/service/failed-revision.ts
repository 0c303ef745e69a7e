import * as z from 'zod';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { isKnativeService } from '../object-name.ts';
import { statusSchema } from '../readiness.ts';

/** On a Service's template: the failed Revision that came before it. */
const afterAnnotation = 'phaseout.dev/after-revision';

const templateSchema = z.looseObject({
  template: z.looseObject({
    metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }).default({
      annotations: {},
    }),
  }),
});

const serviceStatusSchema = statusSchema.extend({ latestCreatedRevisionName: z.string().default('') });

/**
 * Gives a Knative Service whose newest Revision has failed a new template. Knative gives a Revision ten minutes to get
 * ready. Then it stays failed although its cause is gone. Only another template makes another Revision.
 */
export function withNewRevision(wanted: KubeObject, before: KubeObject | undefined): KubeObject {
  if (before === undefined || !isKnativeService(wanted)) return wanted;
  const after = failedRevisionOf(before) ?? annotationsOf(before)[afterAnnotation];
  const { data } = templateSchema.safeParse(wanted['spec']);
  if (after === undefined || data === undefined) return wanted;
  const { template } = data;
  const annotations = { ...template.metadata.annotations, [afterAnnotation]: after };
  const metadata = { ...template.metadata, annotations };
  return { ...wanted, spec: { ...data, template: { ...template, metadata } } };
}

const annotationsOf = ({ spec }: KubeObject): Record<string, string> =>
  templateSchema.safeParse(spec).data?.template.metadata.annotations ?? {};

/** Undefined while the Service has not looked at its newest template. */
function failedRevisionOf({ metadata, status }: KubeObject): string | undefined {
  const { data } = serviceStatusSchema.safeParse(status ?? {});
  if (data === undefined || data.latestCreatedRevisionName === '') return undefined;
  if (data.observedGeneration !== undefined && data.observedGeneration !== metadata.generation)
    return undefined;
  const statusOf = (type: string): string | undefined =>
    data.conditions.find((condition) => condition.type === type)?.status;
  const isMissing = data.conditions.some(
    ({ type, status: value, reason }) =>
      type === 'RoutesReady' && value === 'False' && reason === 'RevisionMissing',
  );
  // The route has no Revision at first, too, while the first one starts.
  const isFailed =
    statusOf('ConfigurationsReady') === 'False' || (isMissing && statusOf('ConfigurationsReady') === 'True');
  return isFailed ? data.latestCreatedRevisionName : undefined;
}
