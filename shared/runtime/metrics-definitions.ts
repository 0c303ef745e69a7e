/** One metric in Prometheus' words. */
interface Definition<K extends string, L extends string> {
  kind: K;
  name: string;
  labels: readonly L[];
  meaning: string;
  /** Upper ends of a histogram's classes. */
  buckets: readonly number[];
}

const counter = <const L extends string>(
  name: string,
  labels: readonly L[],
  meaning: string,
): Definition<'counter', L> => ({ kind: 'counter', name, labels, meaning, buckets: [] });

const gauge = <const L extends string>(
  name: string,
  labels: readonly L[],
  meaning: string,
): Definition<'gauge', L> => ({ kind: 'gauge', name, labels, meaning, buckets: [] });

const histogram =
  (buckets: readonly number[]) =>
  <const L extends string>(
    name: string,
    labels: readonly L[],
    meaning: string,
  ): Definition<'histogram', L> => ({ kind: 'histogram', name, labels, meaning, buckets });

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const moments = [0.1, 0.5, 1, 2, 5, 10, 20];
const minutes = [1, 2, 5, 10, 20].map((number) => number * minute);
const hours = [1, 3, 12].map((number) => number * hour);
const days = [1, 3, 10].map((number) => number * day);
/** A phase may take a moment, or a person's decision. */
const waits = histogram([...moments, ...minutes, ...hours, ...days]);
/** Answers of other systems, within their time box. */
const answers = histogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]);
/** Delays of what should happen at once: from a broker's hop to the sweep of everything. */
const delays = histogram([0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]);

/**
 * Every metric of an instance, by its name in the code. A label has few values, so none is the name of an object.
 * Only `mapi_*` has such names, since OpenShift's alerts ask for them.
 */
export const metricDefinitions = {
  deletionsStarted: counter(
    'phaseout_deletions_started_total',
    ['machine_api'],
    'Deletions that were begun: the first checkpoint was saved.',
  ),
  deletionsCompleted: counter(
    'phaseout_deletions_completed_total',
    ['machine_api'],
    'Deletions that were completed: the finalizer is off.',
  ),
  deletionSeconds: waits(
    'phaseout_deletion_duration_seconds',
    ['machine_api'],
    "From a Machine's deletionTimestamp to the end of its finalizer.",
  ),
  phasesPassed: counter(
    'phaseout_phases_passed_total',
    ['machine_api', 'phase', 'outcome'],
    'Phases that were left, by how: done, excluded, timed-out, not-applicable, or returned to an earlier one.',
  ),
  phaseSeconds: waits(
    'phaseout_phase_duration_seconds',
    ['machine_api', 'phase'],
    'Time that Machines spent in a phase, counted when they leave it.',
  ),
  waits: counter(
    'phaseout_waits_total',
    ['machine_api', 'phase', 'reason', 'outcome'],
    'Steps that ended with a wait: waiting, held-up (somebody refuses, or it takes long) or failed.',
  ),
  machinesDeleting: gauge(
    'phaseout_machines_deleting',
    ['machine_api', 'phase', 'reason'],
    'Machines being deleted, as the last full sweep of this instance found them, by the reason they show.',
  ),
  machinesHeld: gauge(
    'phaseout_machines_held',
    ['machine_api', 'reason'],
    'Machines that the last full sweep of this instance found held, as the Node that they name is not known to be theirs.',
  ),
  evictions: counter(
    'phaseout_evictions_total',
    ['machine_api', 'answer', 'cause'],
    'Evictions by their answer: accepted, gone, replaced or refused, the last with its cause.',
  ),
  dueLag: delays(
    'phaseout_due_lag_seconds',
    ['by'],
    'How late a look was taken that was due, by the sweep or by a wake-up.',
  ),
  dueLooks: gauge(
    'phaseout_due_looks',
    [],
    'Looks that the last sweep of what is due found; it takes at most 500.',
  ),
  sweeps: counter(
    'phaseout_sweeps_total',
    ['sweep', 'outcome'],
    'Sweeps of what is due or of all Machines, done or failed.',
  ),
  sweepSeconds: answers('phaseout_sweep_duration_seconds', ['sweep'], 'Time that a sweep took.'),
  wakeUpsKept: gauge('phaseout_wake_ups_kept', [], 'Machines that this instance keeps a wake-up for.'),
  wakeUps: counter('phaseout_wake_ups_total', [], 'Waits that a wake-up has ended.'),
  eventAge: delays(
    'phaseout_event_age_seconds',
    ['type', 'since'],
    'Age of an event when its function gets it, since it was sent or since the Broker had it.',
  ),
  eventsSent: counter(
    'phaseout_events_sent_total',
    ['type', 'outcome'],
    'Events sent to the Broker beside replies: taken, or lost after all retries.',
  ),
  deadLetters: counter(
    'phaseout_dead_letters_total',
    ['type', 'code'],
    'Events that the Broker gave up, by the last status; unknown where it does not say.',
  ),
  apiRequests: counter(
    'phaseout_api_requests_total',
    ['cluster', 'verb', 'resource', 'code'],
    'Requests to Kubernetes API servers, management or workload; code 0 is no answer.',
  ),
  apiRequestSeconds: answers(
    'phaseout_api_request_duration_seconds',
    ['cluster', 'verb'],
    'Time until the API server answered; of a watch until it was open.',
  ),
  storeRequests: counter(
    'phaseout_store_requests_total',
    ['operation', 'outcome'],
    'Requests to DynamoDB: answered, condition-failed, or failed with no usable answer.',
  ),
  storeRequestSeconds: answers(
    'phaseout_store_request_duration_seconds',
    ['operation'],
    'Time until DynamoDB answered, the retries of the SDK included.',
  ),
  providerCalls: counter(
    'phaseout_provider_calls_total',
    ['machine_api', 'operation', 'answer'],
    'Calls of the provider of servers; answer none is no usable one.',
  ),
  providerCallSeconds: answers(
    'phaseout_provider_call_duration_seconds',
    ['operation'],
    'Time until the provider answered.',
  ),
  instanceDeleteFailed: counter(
    'mapi_instance_delete_failed',
    ['name', 'namespace', 'reason'],
    "Deletes of an OpenShift Machine's server that the provider refused, as OpenShift's providers count them.",
  ),
  turnsPutOff: counter(
    'phaseout_turns_put_off_total',
    [],
    'Deletions that were to begin and wait in the store until others have come further.',
  ),
  apiRequestsAtOnce: gauge(
    'phaseout_api_requests_at_once',
    ['is'],
    'Requests of this instance to the API server of the Machines: how many it bears at once, those under way, and those that wait for their turn.',
  ),
  stepsAtOnce: gauge(
    'phaseout_steps',
    ['is'],
    'Steps of this instance: the limit that it has set itself, those under way, and those that wait for their turn.',
  ),
  requestsInFlight: gauge(
    'phaseout_http_requests_in_flight',
    ['function'],
    'Requests that a function is working on.',
  ),
  requests: counter(
    'phaseout_http_requests_total',
    ['function', 'status'],
    'Requests that a function has answered.',
  ),
  requestSeconds: answers(
    'phaseout_http_request_duration_seconds',
    ['function'],
    'Time from the first byte of a request to its answer.',
  ),
};
