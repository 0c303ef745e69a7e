import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
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

/** What events.k8s.io calls the fields of a stored Event. */
const newNames: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
]);
const oldNames = new Map([...newNames].map(([stored, shown]) => [shown, stored]));
oldNames.delete('reportingInstance');

function renamed(event: JsonObject, names: ReadonlyMap<string, string>): KubeObject {
  const kept = Object.entries(event).filter(([field]) => !names.has(field));
  const moved = [...names].map(([from, to]): [string, unknown] => [to, event[from]]);
  return kubeObject(compact<JsonObject>(Object.fromEntries([...kept, ...moved])));
}

/** A stored Event as events.k8s.io shows it, without an empty reporter. */
export const toNewEvent = ({ reportingComponent, reportingInstance, ...event }: KubeObject): KubeObject =>
  renamed(
    {
      ...event,
      reportingComponent: reportingComponent || undefined,
      reportingInstance: reportingInstance || undefined,
    },
    newNames,
  );

/** An Event of events.k8s.io as it is stored. */
export const fromNewEvent = (event: KubeObject): KubeObject =>
  renamed({ ...event, regarding: objectOf(event.regarding) }, oldNames);
