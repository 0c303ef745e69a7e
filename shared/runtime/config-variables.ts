import { besideVariables, type ConfigVariable } from './beside-variables.ts';

/** The environment's variables, in the order they are documented in. */
export const configVariables = {
  port: {
    name: 'PORT',
    default: '8080',
    meaning: 'Port to listen on; set by Knative.',
  },
  listenAddress: {
    name: 'PHASEOUT_LISTEN_ADDRESS',
    default: '',
    meaning: 'Address to listen on; empty takes all of them.',
  },
  functions: {
    name: 'PHASEOUT_FUNCTIONS',
    default: '',
    meaning: 'Names of the functions to serve, with commas between them; empty serves all.',
  },
  sink: {
    name: 'K_SINK',
    default: '',
    meaning:
      'URL that facts and commands are sent to; set by a SinkBinding. Without it only replies are told.',
  },
  sinkAuthorities: {
    name: 'K_CA_CERTS',
    default: '',
    meaning:
      'Certificates in PEM that vouch for the sink, beside the usual ones; set by a SinkBinding where Knative encrypts.',
  },
  table: {
    name: 'PHASEOUT_TABLE',
    default: 'phaseout',
    meaning: 'Name of the DynamoDB table.',
  },
  dynamodbEndpoint: {
    name: 'PHASEOUT_DYNAMODB_ENDPOINT',
    default: '',
    meaning: 'URL of DynamoDB, where it is not the one of the AWS region.',
  },
  machineApis: {
    name: 'PHASEOUT_MACHINE_APIS',
    default: 'capi,openshift,v1alpha1',
    meaning:
      'Machine APIs whose Machines are looked after, where the cluster serves them: capi, openshift, v1alpha1. The Machines of all others are left alone.',
  },
  ...besideVariables,
  namespaces: {
    name: 'PHASEOUT_NAMESPACES',
    default: '',
    meaning:
      'Namespaces whose Machines are looked after, with commas between them; empty looks after those of all.',
  },
  duePingSource: {
    name: 'PHASEOUT_DUE_PING_SOURCE',
    default: '',
    meaning:
      'namespace/name of the PingSource that asks for what is due, which rests while nothing is being deleted; empty leaves it alone.',
  },
  watchFilter: {
    name: 'PHASEOUT_WATCH_FILTER',
    default: '',
    meaning:
      "Value that a Machine's label cluster.x-k8s.io/watch-filter must have; empty takes every Machine.",
  },
  ownNode: {
    name: 'NODE_NAME',
    default: '',
    meaning:
      "Name of the Node that the instance runs on: the cluster.k8s.io Machine of that Node is not deleted. If empty, the Pod's token names the Node; without either, no Machine is protected.",
  },
  actuatorUrl: {
    name: 'PHASEOUT_ACTUATOR_URL',
    default: '',
    meaning:
      'URL of the provider that keeps the servers of machine.openshift.io and cluster.k8s.io Machines.',
  },
  actuatorSecret: {
    name: 'PHASEOUT_ACTUATOR_SECRET',
    default: '',
    meaning: "namespace/name of the Secret whose key token is the provider's bearer token; empty sends none.",
  },
  actuatorTimeoutSeconds: {
    name: 'PHASEOUT_ACTUATOR_TIMEOUT_SECONDS',
    default: '20',
    meaning: 'Seconds after which a call of the provider is given up; it is made again later.',
  },
  hookKey: {
    name: 'PHASEOUT_HOOK_KEY',
    default: '',
    meaning:
      'namespace/name of the Secret whose key named key makes the tokens of DeletionHooks; without it they hold their Machines.',
  },
  evictionsPerSecond: {
    name: 'PHASEOUT_EVICTIONS_PER_SECOND',
    default: '100',
    meaning: 'Evictions per second and workload cluster.',
  },
  evictionBurst: {
    name: 'PHASEOUT_EVICTION_BURST',
    default: '200',
    meaning: 'Evictions that may be made at once before the rate applies.',
  },
  evictionsInFlight: {
    name: 'PHASEOUT_EVICTIONS_IN_FLIGHT',
    default: '50',
    meaning: 'Evictions that wait for their answer at the same time, per workload cluster.',
  },
  wakeUps: {
    name: 'PHASEOUT_WAKE_UPS',
    default: 'true',
    meaning:
      'Whether to watch for what ends a wait after the event was answered. Without it the sweep looks.',
  },
  wakeUpsMax: {
    name: 'PHASEOUT_WAKE_UPS_MAX',
    default: '500',
    meaning: 'Machines that one instance keeps wake-ups for.',
  },
  wakeUpSeconds: {
    name: 'PHASEOUT_WAKE_UP_SECONDS',
    default: '600',
    meaning: 'Seconds after which a wake-up is given up.',
  },
  requeueAfterSeconds: {
    name: 'PHASEOUT_LOOK_AGAIN_SECONDS',
    default: '20',
    meaning:
      'Seconds after which a Machine is looked at again where what was asked for came to nothing: a command was lost, or an instance. How long a wait takes at most is its own.',
  },
  requestTimeoutSeconds: {
    name: 'PHASEOUT_REQUEST_TIMEOUT_SECONDS',
    default: '50',
    meaning: 'Seconds after which a request is answered with 503.',
  },
  requestsInFlight: {
    name: 'PHASEOUT_REQUESTS_IN_FLIGHT',
    default: '1000',
    meaning:
      'Requests that are worked on at the same time; one more is answered with 429. Those for the Machines of one workload cluster leave a quarter of the places to others.',
  },
  bodyLimitBytes: {
    name: 'PHASEOUT_BODY_LIMIT_BYTES',
    default: '4194304',
    meaning: 'Bytes that the body of a request may have; one that has more is answered with 413.',
  },
  shutdownSeconds: {
    name: 'PHASEOUT_SHUTDOWN_SECONDS',
    default: '55',
    meaning:
      'Seconds in which what has begun may finish when the process is to end; less than its grace period.',
  },
  considerVolumeAttachments: {
    name: 'PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS',
    default: 'true',
    meaning: "Whether VolumeAttachments count beside the Node's own list of attached volumes.",
  },
  nodeConditions: {
    name: 'PHASEOUT_NODE_CONDITIONS',
    default: 'false',
    meaning:
      'Whether Nodes show their drain as conditions DrainInProgress and Drained (KEP-5683). Those of others stay as they are.',
  },
  actions: {
    name: 'PHASEOUT_ACTIONS',
    default: '',
    meaning:
      'What DrainPolicies may do about Pods that are not let go: rollout-restart, delete, with a comma between them; empty allows nothing. deploy --actions sets it, with the rights.',
  },
  kubeconfig: {
    name: 'KUBECONFIG',
    default: '',
    meaning: 'Path of the kubeconfig of the management cluster; inside the cluster none is needed.',
  },
  logForm: {
    name: 'PHASEOUT_LOG',
    default: 'json',
    meaning: 'Form of the log: json or text.',
  },
  logLevel: {
    name: 'PHASEOUT_LOG_LEVEL',
    default: 'info',
    meaning: 'Least level that is logged: debug, info, warn or error.',
  },
} satisfies Readonly<Record<string, ConfigVariable>>;
