import { describe, expect, test } from 'vitest';
import { ConfigInvalid, readConfig } from '../../../shared/runtime/config.ts';
import { configVariables } from '../../../shared/runtime/config-variables.ts';

const defaults = {
  port: 8080,
  listenAddress: undefined,
  functions: [],
  sink: undefined,
  sinkAuthorities: undefined,
  table: 'phaseout',
  dynamodbEndpoint: undefined,
  machineApis: ['capi', 'openshift', 'v1alpha1'],
  mode: { capi: 'replace', openshift: 'replace', v1alpha1: 'replace' },
  installation: '',
  lease: undefined,
  hooksAfter: [],
  besideSelector: expect.any(Function),
  besideControlPlanes: false,
  besideMachinePools: false,
  besideExcluded: 'leave',
  namespaces: [],
  watchFilter: '',
  ownNode: '',
  actuatorUrl: undefined,
  actuatorSecret: undefined,
  actuatorTimeoutSeconds: 20,
  evictionsPerSecond: 100,
  evictionBurst: 200,
  evictionsInFlight: 50,
  wakeUps: true,
  wakeUpsMax: 500,
  wakeUpSeconds: 600,
  requeueAfterSeconds: 20,
  requestTimeoutSeconds: 50,
  requestsInFlight: 1000,
  bodyLimitBytes: 4_194_304,
  shutdownSeconds: 55,
  considerVolumeAttachments: true,
  nodeConditions: false,
  actions: new Set(),
  observeEvents: false,
  kubeconfig: undefined,
  logForm: 'json',
  logLevel: 'info',
};

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual(defaults);
});

test('a variable that is set to nothing counts as not set', () => {
  const empty = Object.fromEntries(Object.values(configVariables).map(({ name }) => [name, '']));
  expect(readConfig(empty)).toEqual(defaults);
});

test('every variable is read', () => {
  const env = {
    PORT: '65535',
    PHASEOUT_LISTEN_ADDRESS: '127.0.0.1',
    PHASEOUT_FUNCTIONS: 'drain, sweep,',
    K_SINK: 'http://broker-ingress.knative-eventing.svc.cluster.local/phaseout/default',
    K_CA_CERTS: 'PEM',
    PHASEOUT_TABLE: 't',
    PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
    PHASEOUT_MACHINE_APIS: 'v1alpha1, capi',
    PHASEOUT_MODE: 'capi:beside,openshift:observe,v1alpha1:replace',
    PHASEOUT_OBSERVE_EVENTS: 'true',
    PHASEOUT_INSTALLATION: 'blue',
    PHASEOUT_LEASE: 'phaseout/phaseout-blue',
    PHASEOUT_HOOKS_AFTER: 'last, other/last',
    PHASEOUT_BESIDE_SELECTOR: 'a=b,!c',
    PHASEOUT_BESIDE_CONTROL_PLANES: 'true',
    PHASEOUT_BESIDE_MACHINE_POOLS: 'true',
    PHASEOUT_BESIDE_EXCLUDED: 'drain',
    PHASEOUT_NAMESPACES: 'fleet, other',
    PHASEOUT_WATCH_FILTER: 'blue',
    NODE_NAME: 'node-7',
    PHASEOUT_ACTUATOR_URL: 'http://provider:8443',
    PHASEOUT_ACTUATOR_SECRET: 'phaseout/provider-token',
    PHASEOUT_ACTUATOR_TIMEOUT_SECONDS: '5',
    PHASEOUT_EVICTIONS_PER_SECOND: '0.25',
    PHASEOUT_EVICTION_BURST: '1',
    PHASEOUT_EVICTIONS_IN_FLIGHT: '2',
    PHASEOUT_WAKE_UPS: 'false',
    PHASEOUT_WAKE_UPS_MAX: '0',
    PHASEOUT_WAKE_UP_SECONDS: '30',
    PHASEOUT_LOOK_AGAIN_SECONDS: '5',
    PHASEOUT_REQUEST_TIMEOUT_SECONDS: '60',
    PHASEOUT_REQUESTS_IN_FLIGHT: '10',
    PHASEOUT_BODY_LIMIT_BYTES: '2000000',
    PHASEOUT_SHUTDOWN_SECONDS: '20',
    PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS: 'false',
    PHASEOUT_NODE_CONDITIONS: 'true',
    PHASEOUT_ACTIONS: 'delete, rollout-restart',
    KUBECONFIG: '/etc/kubeconfig',
    PHASEOUT_LOG: 'text',
    PHASEOUT_LOG_LEVEL: 'debug',
    UNRELATED: 'x',
  };
  expect(readConfig(env)).toEqual({
    port: 65_535,
    listenAddress: '127.0.0.1',
    functions: ['drain', 'sweep'],
    sinkAuthorities: 'PEM',
    sink: 'http://broker-ingress.knative-eventing.svc.cluster.local/phaseout/default',
    table: 't',
    dynamodbEndpoint: 'http://127.0.0.1:8000',
    machineApis: ['v1alpha1', 'capi'],
    mode: { capi: 'beside', openshift: 'observe', v1alpha1: 'replace' },
    observeEvents: true,
    installation: 'blue',
    lease: 'phaseout/phaseout-blue',
    hooksAfter: ['last', 'other/last'],
    besideSelector: expect.any(Function),
    besideControlPlanes: true,
    besideMachinePools: true,
    besideExcluded: 'drain',
    namespaces: ['fleet', 'other'],
    watchFilter: 'blue',
    ownNode: 'node-7',
    actuatorUrl: 'http://provider:8443',
    actuatorSecret: 'phaseout/provider-token',
    actuatorTimeoutSeconds: 5,
    evictionsPerSecond: 0.25,
    evictionBurst: 1,
    evictionsInFlight: 2,
    wakeUps: false,
    wakeUpsMax: 0,
    wakeUpSeconds: 30,
    requeueAfterSeconds: 5,
    requestTimeoutSeconds: 60,
    requestsInFlight: 10,
    bodyLimitBytes: 2_000_000,
    shutdownSeconds: 20,
    considerVolumeAttachments: false,
    nodeConditions: true,
    actions: new Set(['Delete', 'RolloutRestart']),
    kubeconfig: '/etc/kubeconfig',
    logForm: 'text',
    logLevel: 'debug',
  });
});

describe('what is wrong is named with its value', () => {
  const cases: [string, string, string][] = [
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http"'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536"'],
    ['K_SINK', 'broker', 'K_SINK must be an http or https URL, not "broker"'],
    ['K_SINK', 'xhttp://x', 'K_SINK must be an http or https URL, not "xhttp://x"'],
    ['K_SINK', 'httpsx://x', 'K_SINK must be an http or https URL, not "httpsx://x"'],
    ['K_SINK', 'http://:secret@x', 'K_SINK must not name a user or a password, not "http://…@x"'],
    ['K_SINK', 'ftp://x', 'K_SINK must be an http or https URL, not "ftp://x"'],
    ['K_SINK', 'http://me:secret@x', 'K_SINK must not name a user or a password, not "http://…@x"'],
    ['K_SINK', 'ftp://me:secret@x', 'K_SINK must be an http or https URL, not "ftp://…@x"'],
    [
      'PHASEOUT_DYNAMODB_ENDPOINT',
      'https://me@x',
      'PHASEOUT_DYNAMODB_ENDPOINT must not name a user or a password, not "https://…@x"',
    ],
    [
      'PHASEOUT_EVICTIONS_PER_SECOND',
      '0',
      'PHASEOUT_EVICTIONS_PER_SECOND must be a number greater than 0, not "0"',
    ],
    [
      'PHASEOUT_EVICTIONS_PER_SECOND',
      '1e3',
      'PHASEOUT_EVICTIONS_PER_SECOND must be a number greater than 0, not "1e3"',
    ],
    [
      'PHASEOUT_EVICTIONS_PER_SECOND',
      'a1',
      'PHASEOUT_EVICTIONS_PER_SECOND must be a number greater than 0, not "a1"',
    ],
    [
      'PHASEOUT_EVICTION_BURST',
      '0',
      'PHASEOUT_EVICTION_BURST must be a whole number from 1 to 100000, not "0"',
    ],
    ...['token', 'a/b/c', 'a b/c', '/token', 'a/'].map((word): [string, string, string] => [
      'PHASEOUT_ACTUATOR_SECRET',
      word,
      `PHASEOUT_ACTUATOR_SECRET must be namespace/name of a Secret, not "${word}"`,
    ]),
    [
      'PHASEOUT_DUE_PING_SOURCE',
      'due',
      'PHASEOUT_DUE_PING_SOURCE must be namespace/name of a PingSource, not "due"',
    ],
    [
      'PHASEOUT_EVICTION_BURST',
      '1e3',
      'PHASEOUT_EVICTION_BURST must be a whole number from 1 to 100000, not "1e3"',
    ],
    [
      'PHASEOUT_MACHINE_APIS',
      'capi,k8s',
      'PHASEOUT_MACHINE_APIS must be some of capi, openshift, v1alpha1, with commas between them, not "capi,k8s"',
    ],
    [
      'PHASEOUT_NAMESPACES',
      ' , ',
      'PHASEOUT_NAMESPACES must be names with commas between them, or empty, not " , "',
    ],
    [
      'PHASEOUT_FUNCTIONS',
      ' ',
      'PHASEOUT_FUNCTIONS must be names with commas between them, or empty, not " "',
    ],
    ['PHASEOUT_WAKE_UPS', 'yes', 'PHASEOUT_WAKE_UPS must be true or false, not "yes"'],
    ['PHASEOUT_LOG', 'xml', 'PHASEOUT_LOG must be one of json, text, not "xml"'],
    ['PHASEOUT_LOG_LEVEL', 'loud', 'PHASEOUT_LOG_LEVEL must be one of debug, info, warn, error, not "loud"'],
  ];
  test.each(cases)('%s=%s', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigInvalid([message]));
  });

  test('all of them at once', () => {
    expect(() => readConfig({ PORT: '-1', PHASEOUT_LOG: 'xml' })).toThrow(
      'PORT must be a whole number from 0 to 65535, not "-1"\nPHASEOUT_LOG must be one of json, text, not "xml"',
    );
  });
});
