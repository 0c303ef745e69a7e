import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problemLines, readServerless } from '../../../infra/serverless/read.ts';
import { phases } from '../../../shared/machine/phase.ts';
import { written } from '../knative/rendered.ts';

const root = new URL('../../../', import.meta.url);

/** The start of a file that is right; what comes next is in line 10. */
const provider = `service: s
provider:
  name: knative
  namespace: ns
  serviceAccountName: sa
  broker: { name: b }
  scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 }
  delivery: { retry: 1 }
functions:
`;

function refusals(text: string): string[] {
  const reading = readServerless(text);
  return reading.kind === 'read' ? [] : problemLines('serverless.yml', reading.problems);
}

const aFunction = (...events: string[]) =>
  `${provider}  drain:
    handler: functions/drain.ts
    service: one
    events:
${events.map((event) => `      - ${event}\n`).join('')}`;

const podChange = (name: string, change: string) =>
  `apiServer: { name: ${name}, apiVersion: v1, kind: Pod, plural: pods, changes: [${change}] }`;

describe("this repository's serverless.yml", () => {
  const file = written();

  test('names one function for the intake, the sweep and each phase, all in one Service', () => {
    const others = ['intake', 'sweep', 'dead-letter', 'hook-answer'];
    expect(file.functions.map(({ name }) => name)).toEqual([...others, ...phases]);
    expect(file.functions.every(({ name, handler }) => handler === `functions/${name}.ts`)).toBe(true);
    expect(file.functions.filter(({ handler }) => !existsSync(new URL(handler, root)))).toEqual([]);
    expect(file.services.map(({ name }) => name)).toEqual(['phaseout']);
  });

  test('watches the Machines of all three Machine APIs in all namespaces, each for itself', () => {
    const machines = { namespace: 'phaseout', kind: 'Machine', plural: 'machines' };
    expect(file.apiServerSources).toEqual([
      {
        ...machines,
        name: 'machines-cluster-x-k8s-io-v1beta2',
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        machineApi: 'capi',
      },
      {
        ...machines,
        name: 'machines-machine-openshift-io-v1beta1',
        apiVersion: 'machine.openshift.io/v1beta1',
        machineApi: 'openshift',
      },
      {
        ...machines,
        name: 'machines-cluster-k8s-io-v1alpha1',
        apiVersion: 'cluster.k8s.io/v1alpha1',
        machineApi: 'v1alpha1',
      },
    ]);
    const intake = file.triggers.filter(({ subscriber }) => subscriber.path === '/intake');
    expect(intake.map(({ name }) => name)).toEqual([
      'intake-cluster-api',
      'intake-openshift',
      'intake-v1alpha1',
    ]);
  });

  test('ticks every five seconds for what is due and every three minutes for all', () => {
    expect(file.pingSources).toEqual([
      {
        name: 'sweep-due',
        namespace: 'phaseout',
        schedule: '*/5 * * * * *',
        atRest: '0 0 1 1 *',
        contentType: 'application/json',
        data: '{"sweep":"due"}',
      },
      {
        name: 'sweep-all',
        namespace: 'phaseout',
        schedule: '0 */3 * * * *',
        contentType: 'application/json',
        data: '{"sweep":"all"}',
      },
    ]);
  });

  test('gives each phase the advance events of its name', () => {
    const selected = file.triggers.filter(({ name }) => phases.some((phase) => phase === name));
    expect(selected.map(({ filter, subscriber }) => [filter?.attributes, subscriber])).toEqual(
      phases.map((phase) => [
        { type: 'dev.phaseout.deletion.advance.v1', phase },
        { service: 'phaseout', path: `/${phase}` },
      ]),
    );
  });

  test('answers publishers before the functions are done', () => {
    expect(file.broker.annotations).toEqual({ 'messaging.knative.dev/async-handler': 'true' });
  });
});

describe('what is written becomes', () => {
  test('a Trigger and a source for changes', () => {
    const { triggers, apiServerSources } = written(
      aFunction(
        'apiServer: { apiVersion: v1, kind: Pod, plural: pods, changes: [delete], labelSelector: a=b, namespaces: [x] }',
      ),
    );
    expect(apiServerSources).toEqual([
      {
        name: 'pods-v1-b4aa5146',
        namespace: 'ns',
        apiVersion: 'v1',
        kind: 'Pod',
        plural: 'pods',
        labelSelector: 'a=b',
        namespaces: ['x'],
      },
    ]);
    expect(triggers).toEqual([
      {
        name: 'drain',
        namespace: 'ns',
        broker: 'b',
        // For Brokers that know of no `filters`.
        filter: { attributes: { apiversion: 'v1', kind: 'Pod' } },
        filters: [
          { any: [{ exact: { type: 'dev.knative.apiserver.resource.delete' } }] },
          { exact: { apiversion: 'v1', kind: 'Pod' } },
        ],
        subscriber: { service: 'one', path: '/drain' },
      },
    ]);
  });

  test('one source for a resource that two events ask for', () => {
    const { triggers, apiServerSources } = written(
      aFunction(podChange('born', 'add'), podChange('gone', 'delete')),
    );
    expect(triggers.map(({ name }) => name)).toEqual(['drain-born', 'drain-gone']);
    expect(apiServerSources.map(({ name }) => name)).toEqual(['pods-v1']);
  });

  test('a Trigger by the address of its PingSource', () => {
    const { triggers, pingSources } = written(
      aFunction("ping: { schedule: '@hourly', ceOverrides: { extensions: { purpose: x } } }"),
    );
    expect(pingSources).toEqual([
      {
        name: 'drain',
        namespace: 'ns',
        schedule: '@hourly',
        ceOverrides: { extensions: { purpose: 'x' } },
      },
    ]);
    expect(triggers[0]?.filter?.attributes).toEqual({
      type: 'dev.knative.sources.ping',
      source: '/apis/v1/namespaces/ns/pingsources/drain',
    });
  });

  test('a Trigger with the dialects as written', () => {
    const { triggers } = written(
      aFunction(
        "trigger: { filters: [{ not: { prefix: { type: a } } }, { cesql: 'EXISTS phase' }], delivery: { retry: 0 } }",
      ),
    );
    expect(triggers[0]?.filters).toEqual([{ not: { prefix: { type: 'a' } } }, { cesql: 'EXISTS phase' }]);
    expect(triggers[0]?.delivery).toEqual({ retry: 0 });
  });

  test('the sink of what the Broker gives up, and no Trigger', () => {
    const { broker, triggers } = written(aFunction('deadLetter: {}'));
    expect(broker.deadLetter).toEqual({ service: 'one', path: '/drain' });
    expect(triggers).toEqual([]);
  });

  test('the names that nobody has to choose', () => {
    const { image, serviceAccounts } = written(aFunction('trigger: {}'));
    expect(image).toBe('phaseout');
    expect(serviceAccounts).toEqual({
      functions: 'sa',
      sources: 'phaseout-sources',
      table: 'phaseout-table',
    });
  });

  test('Services with what they do differently', () => {
    const text = aFunction('trigger: {}').replace(
      '  delivery:',
      '  environment: { A: a, B: b }\n  services: { one: { scaling: { minScale: 1, window: 30s }, environment: { B: c }, resources: { limits: { memory: 1Gi } } } }\n  delivery:',
    );
    expect(written(text).services).toEqual([
      {
        name: 'one',
        namespace: 'ns',
        functions: ['drain'],
        scaling: { minScale: 1, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60, window: '30s' },
        resources: { requests: {}, limits: { memory: '1Gi' } },
        environment: { A: 'a', B: 'c' },
        serviceAccountName: 'sa',
      },
    ]);
  });
});

describe('what is refused, by line and field', () => {
  const inEvent = 'functions.drain.events.0';
  test.each<{ name: string; text: string; says: string[] }>([
    {
      name: 'a misspelt field, at its own line',
      text: aFunction("ping:\n          scheduel: '@hourly'"),
      says: [
        `14: ${inEvent}.ping.schedule: Invalid input: expected string, received undefined`,
        `15: ${inEvent}.ping.scheduel: no such field`,
      ],
    },
    {
      name: 'a schedule nobody can keep',
      text: aFunction('ping:\n          name: x\n          schedule: "61 * * * *"'),
      says: [`16: ${inEvent}.ping.schedule: not a schedule: "61" is no minute`],
    },
    {
      name: 'an event of two kinds',
      text: aFunction("{ trigger: {}, ping: { schedule: '@hourly' } }"),
      says: [`14: ${inEvent}: an event is exactly one of apiServer, ping, trigger, deadLetter`],
    },
    {
      name: 'two events without names',
      text: aFunction('trigger: {}', 'trigger: {}'),
      says: ['13: functions.drain.events: each of several events needs a name of its own'],
    },
    {
      name: 'a filter of two dialects',
      text: aFunction(
        'trigger:\n          filters:\n            - { exact: { type: a }, prefix: { type: b } }',
      ),
      says: [
        `16: ${inEvent}.trigger.filters.0: a filter has exactly one dialect of exact, prefix, suffix, any, all, not, cesql`,
      ],
    },
    {
      name: 'a dialect that does not exist',
      text: aFunction('trigger: { filters: [{ constructor: {} }] }'),
      says: [
        `14: ${inEvent}.trigger.filters.0: a filter has exactly one dialect of exact, prefix, suffix, any, all, not, cesql`,
      ],
    },
    {
      name: 'an upper-case attribute name, however deep',
      text: aFunction(
        'trigger:\n          filters:\n            - any:\n                - exact:\n                    Kind: a',
      ),
      says: [
        `18: ${inEvent}.trigger.filters.0.any.0.exact.Kind: attribute names start with a letter and hold only lower-case letters and digits`,
      ],
    },
    {
      name: 'CESQL that ends too early',
      text: aFunction("trigger: { filters: [{ cesql: 'kind = ' }] }"),
      says: [`14: ${inEvent}.trigger.filters.0.cesql: not a CESQL expression: the expression ends too early`],
    },
    {
      name: 'a duration in seconds',
      text: aFunction('trigger: { delivery: { timeout: 30 } }'),
      says: [`14: ${inEvent}.trigger.delivery.timeout: Invalid input: expected string, received number`],
    },
    {
      name: 'a duration that is none',
      text: aFunction('trigger: { delivery: { timeout: 30s } }'),
      says: [`14: ${inEvent}.trigger.delivery.timeout: must be an ISO 8601 duration such as PT0.5S`],
    },
    {
      name: 'a Service nothing lives in',
      text: aFunction('trigger: {}').replace('  delivery:', '  services: { two: {} }\n  delivery:'),
      says: ['8: provider.services.two: no function lives in this service'],
    },
    {
      name: 'a second function for dead letters',
      text: `${aFunction('deadLetter: {}')}  node:
    handler: functions/node.ts
    service: one
    events:
      - deadLetter: {}
`,
      says: ['18: functions.node.events: the Broker has one sink for dead letters, and drain takes them'],
    },
    {
      name: 'a variable that Knative sets',
      text: aFunction('trigger: {}').replace('  delivery:', '  environment: { PORT: "80" }\n  delivery:'),
      says: ['8: provider.environment.PORT: is set by Knative or phaseout for each instance'],
    },
    {
      name: 'a variable that nobody reads',
      text: aFunction('trigger: {}').replace(
        '  delivery:',
        '  environment: { PHASEOUT_TABEL: a }\n  delivery:',
      ),
      says: ['8: provider.environment.PHASEOUT_TABEL: is no variable that the functions read'],
    },
    {
      name: 'a value that would not start',
      text: aFunction('trigger: {}').replace(
        '  delivery:',
        '  environment: { PHASEOUT_LOG: xml }\n  delivery:',
      ),
      says: ['8: provider.environment.PHASEOUT_LOG: PHASEOUT_LOG must be one of json, text, not "xml"'],
    },
    {
      name: 'two ticks that rest',
      text: aFunction(
        "ping: { name: a, schedule: '@hourly', atRest: '@daily' }",
        "ping: { name: b, schedule: '@hourly', atRest: '@daily' }",
      ),
      says: [
        '15: functions.drain.events.1.ping.atRest: only one tick may rest, and another one already does',
      ],
    },
    {
      name: 'more instances at least than at most',
      text: aFunction('trigger: {}').replace('minScale: 0', 'minScale: 2'),
      says: ['7: provider.scaling.minScale: must not be more than maxScale'],
    },
    {
      name: "a window outside of the autoscaler's bounds",
      text: aFunction('trigger: {}').replace('minScale: 0', 'minScale: 0, window: 5s'),
      says: ['7: provider.scaling.window: must be whole seconds from 6s to 3600s, such as 60s'],
    },
    {
      name: 'an amount that is no quantity',
      text: aFunction('trigger: {}').replace(
        '  delivery:',
        '  resources: { limits: { memory: 1 GB } }\n  delivery:',
      ),
      says: ['8: provider.resources.limits.memory: must be a quantity such as 100m or 128Mi'],
    },
    {
      name: "more requests at a time than Knative's webhook takes",
      text: aFunction('trigger: {}').replace('containerConcurrency: 0', 'containerConcurrency: 1001'),
      says: ['7: provider.scaling.containerConcurrency: Too big: expected number to be <=1000'],
    },
    {
      name: 'no time for a request',
      text: aFunction('trigger: {}').replace('timeoutSeconds: 60', 'timeoutSeconds: 0'),
      says: ['7: provider.scaling.timeoutSeconds: Too small: expected number to be >=1'],
    },
    {
      name: "more time for a request than Knative's webhook takes",
      text: aFunction('trigger: {}').replace('timeoutSeconds: 60', 'timeoutSeconds: 601'),
      says: ['7: provider.scaling.timeoutSeconds: Too big: expected number to be <=600'],
    },
    {
      name: 'a name that is too long, and one that ends with a dash',
      text: aFunction('trigger: {}')
        .replace('namespace: ns', `namespace: ${'n'.repeat(64)}`)
        .replace('serviceAccountName: sa', 'serviceAccountName: sa-'),
      says: [
        '4: provider.namespace: must be lower-case letters, digits and dashes, letter first',
        '5: provider.serviceAccountName: must be lower-case letters, digits and dashes, letter first',
      ],
    },
    {
      name: 'a port that is none',
      text: aFunction('trigger: {}').replace(
        '  delivery:',
        '  network: { callers: [a], ports: [443, 65536] }\n  delivery:',
      ),
      says: ['8: provider.network.ports.1: Too big: expected number to be <=65535'],
    },
    {
      name: 'a field that no provider has, before what is wrong below it',
      text: aFunction('trigger: {}')
        .replace('functions/drain.ts', 'functions/../drain.ts')
        .replace('  delivery:', '  permisions: []\n  image: 5\n  delivery:'),
      says: [
        '8: provider.permisions: no such field',
        '9: provider.image: Invalid input: expected string, received number',
        '13: functions.drain.handler: must be a file functions/<name>.ts',
      ],
    },
    {
      name: 'a version that is none',
      text: aFunction('apiServer: { apiVersion: v1/, kind: Pod, plural: pods, changes: [add] }'),
      says: [`14: ${inEvent}.apiServer.apiVersion: must be a version such as v1 or apps/v1`],
    },
    {
      name: 'a file that is not YAML',
      text: `${provider}  drain: [`,
      says: ['10: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    },
    {
      name: 'a key written twice',
      text: `${aFunction('trigger: {}')}service: again\n`,
      says: ['15: Map keys must be unique'],
    },
    {
      name: 'an empty file',
      text: '',
      says: ['1: Invalid input: expected object, received null'],
    },
  ])('$name', ({ text, says }) => {
    expect(refusals(text)).toEqual(says.map((said) => `serverless.yml:${said}`));
  });
});
