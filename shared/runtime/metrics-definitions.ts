import { answers, counter, delays, gauge, waits } from './metric-kinds.ts';

/**
 * Every metric of an instance, by its name in the code. A label has few values, so none is the name of a Machine.
 * Only `mapi_*` has such names, since OpenShift's alerts ask for them.
 */
export const metricDefinitions = {
  buildInfo: gauge(
    'phaseout_build_info',
    ['version', 'node_version'],
    'Always 1: the version of phaseout that this instance runs, and of Node.',
  ),
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
  oldestDeletion: gauge(
    'phaseout_oldest_deletion_seconds',
    ['machine_api', 'machine_namespace', 'reason'],
    'How long ago the oldest of the deletions in a namespace was asked for, by the reason they show, as a full sweep of the last four minutes found them.',
  ),
  machinesHeld: gauge(
    'phaseout_machines_held',
    ['machine_api', 'reason'],
    'Machines that the last full sweep of this instance found held, as the Node that they name is not known to be theirs.',
  ),
  policyMachines: gauge(
    'phaseout_drain_policy_machines',
    ['machine_namespace', 'policy', 'standing'],
    'Machines of a DrainPolicy that have begun, and that wait. Of the last sweep of all Machines.',
  ),
  hooksHeldUp: gauge(
    'phaseout_hooks_held_up',
    ['machine_api', 'machine_namespace', 'hook'],
    'Turns of DeletionHooks that a person should look at, as the last full sweep of this instance found them: the function fails or is silent, or its time is over.',
  ),
  hookCalls: counter(
    'phaseout_hook_calls_total',
    ['machine_api', 'place'],
    'Calls of the functions of DeletionHooks.',
  ),
  hookAnswers: counter(
    'phaseout_hook_answers_total',
    ['state'],
    'Answers of these functions: Done, Working, Failed, or refused, which no present turn has asked for.',
  ),
  hooksEnded: counter(
    'phaseout_hooks_ended_total',
    ['machine_api', 'place', 'outcome'],
    'Turns of DeletionHooks that ended: Done, Proceeded by onTimeout, Passed by a person, or Bypassed.',
  ),
  evictions: counter(
    'phaseout_evictions_total',
    ['machine_api', 'answer', 'cause'],
    'Evictions by their answer: accepted, gone, replaced or refused, the last with its cause.',
  ),
  blockedActions: counter(
    'phaseout_blocked_actions_total',
    ['machine_api', 'action', 'cause', 'outcome'],
    'What DrainPolicies had done about Pods that are not let go: RolloutRestart or Delete, done or failed.',
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
