import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { invalidValue, required } from '../objects/status.ts';
import { compact, type JsonObject, objectOf, textAt } from '../server/json.ts';

const involved = (field: string) => (event: KubeObject) => textAt(event, 'involvedObject', field);
const own = (field: string) => (event: KubeObject) => textAt(event, field);
const reporter = (event: KubeObject) =>
  textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
const involvedFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function fieldsUnder(prefix: string): Record<string, (event: KubeObject) => string> {
  return Object.fromEntries(involvedFields.map((field) => [`${prefix}.${field}`, involved(field)]));
}

/** Events of the core group: about an object of their own namespace, or of `default` for one without. */
export const eventRules: KindRules = {
  hasLooseNames: true,
  createsOnUpdate: true,
  defaults: (event) => ({
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    ...event,
  }),
  refusals: namespaceRefusals,
  fields: {
    ...fieldsUnder('involvedObject'),
    reason: own('reason'),
    type: own('type'),
    source: reporter,
    reportingComponent: reporter,
  },
};

function namespaceRefusals(event: KubeObject): Cause[] {
  const about = textAt(event, 'involvedObject', 'namespace');
  const { namespace } = event.metadata;
  if (about === namespace || (about === '' && namespace === 'default')) return [];
  return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
}

/** Events of events.k8s.io: the same objects under newer names, and stricter. */
export const newEventRules: KindRules = {
  ...eventRules,
  refusals(event, previous) {
    const causes = namespaceRefusals(event);
    if (previous) return causes;
    if (event.eventTime === null) causes.push(required('eventTime'));
    const type = textAt(event, 'type');
    if (type !== 'Normal' && type !== 'Warning')
      causes.push(invalidValue('type', type, `has invalid value: ${type}`));
    return causes;
  },
  fields: {
    ...fieldsUnder('regarding'),
    reason: own('reason'),
    type: own('type'),
    reportingController: own('reportingComponent'),
  },
};

/** A stored Event as events.k8s.io shows it. */
export function toNewEvent(event: KubeObject): KubeObject {
  const {
    involvedObject,
    message,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    reportingComponent,
    reportingInstance,
    ...rest
  } = event;
  return compact<KubeObject>({
    ...rest,
    regarding: involvedObject,
    note: message,
    reportingController: reportingComponent || undefined,
    reportingInstance: reportingInstance || undefined,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
  });
}

/** An Event of events.k8s.io as it is stored. */
export function fromNewEvent(event: KubeObject): KubeObject {
  const { regarding, note, reportingController, deprecatedSource, ...rest } = event;
  const { deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, ...kept } = rest as KubeObject &
    JsonObject;
  return compact<KubeObject>({
    ...kept,
    involvedObject: objectOf(regarding),
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
  });
}
