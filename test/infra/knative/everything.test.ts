import { describe, expect, test } from 'vitest';
import { eventSchemas } from '../../../events/types.ts';
import { textOf } from '../../../infra/knative/manifests.ts';
import { version } from '../../../shared/runtime/version.ts';
import { at, list } from './at.ts';
import { ofKind, only, renderedForAll } from './rendered.ts';

const trigger = 'eventing.knative.dev/v1/Trigger';

const shared = { a: 1 };

const job = (...[options]: Parameters<typeof renderedForAll>) =>
  only(renderedForAll(options), 'batch/v1/Job');

describe('everything', () => {
  const objects = renderedForAll();

  test('is applied in an order in which nothing waits for what comes later', () => {
    const kinds = objects.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1]);
    expect(kinds.filter((kind) => !/Role/.test(kind ?? ''))).toEqual([
      'Namespace',
      'ServiceAccount',
      'NetworkPolicy',
      'Namespace',
      'ServiceAccount',
      'NetworkPolicy',
      'CronJob',
      'ConfigMap',
      'Lease',
      'Job',
      'Broker',
      'SinkBinding',
      'Service',
      'Trigger',
      'EventType',
      'ApiServerSource',
      'PingSource',
    ]);
  });

  test.each([
    ['name', 'phaseout'],
    ['instance', 'phaseout'],
    ['version', version],
    ['component', expect.stringMatching(/^[a-z-]+$/)],
    ['part-of', 'phaseout'],
    ['managed-by', 'phaseout'],
  ])('has the recommended label %s', (name, value) => {
    expect(objects.length).toBeGreaterThan(40);
    for (const { metadata } of objects)
      expect(metadata.labels).toHaveProperty([`app.kubernetes.io/${name}`], value);
  });

  test('has the name of the installation in its labels, if it has one', () => {
    const [first] = renderedForAll({ environment: { PHASEOUT_INSTALLATION: 'blue' } });
    expect(first?.metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'blue' });
  });

  test('selects Pods, and makes them, by labels that are the same in each version', () => {
    const made = renderedForAll({ dynamodbLocal: true }).flatMap(({ spec }) =>
      [...JSON.stringify(spec ?? {}).matchAll(/"app\.kubernetes\.io\/([\w-]+)":/g)].map(([, name]) => name),
    );
    expect(new Set(made)).toEqual(new Set(['name', 'component']));
  });

  test('runs in Pods that may do nothing that they need not', () => {
    const pods = renderedForAll({ dynamodbLocal: true }).flatMap((object) => {
      const pod = at(object, 'spec', 'template', 'spec');
      return pod === undefined ? [] : [pod];
    });
    expect(pods.map((pod) => list(at(pod, 'containers')).length)).toEqual([1, 1, 1]);
    for (const pod of pods) {
      expect(at(pod, 'containers', 0, 'securityContext')).toEqual({
        runAsNonRoot: true,
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
  });

  test('says where SinkBindings hold, for Knatives that ask for it', () => {
    const bound = [
      only(objects, 'v1/Namespace', 'phaseout'),
      ...ofKind(objects, 'serving.knative.dev/v1/Service'),
    ];
    const values = bound.map(({ metadata }) => metadata.labels?.['bindings.knative.dev/include']);
    expect(values).toEqual(['true', 'true']);
  });

  test('says each thing in full: nobody expects an alias in a manifest', () => {
    expect(textOf([{ one: shared, other: shared }])).not.toMatch(/[&*]/);
  });

  test.each(['on', 'no', 'Yes', 'off', 'y'])('kubectl reads %s as text, as it was meant', (word) => {
    expect(textOf([{ filter: word }])).toContain(`filter: "${word}"`);
  });

  test('is in the namespace that is asked for, and so are the addresses of ticks', () => {
    const elsewhere = renderedForAll({ namespace: 'elsewhere' });
    const places = elsewhere.map(({ metadata }) => metadata.namespace ?? 'cluster');
    expect(new Set(places)).toEqual(new Set(['cluster', 'elsewhere', 'phaseout-dead-man']));
    expect(at(only(elsewhere, trigger, 'sweep-due'), 'spec', 'filter', 'attributes', 'source')).toBe(
      '/apis/v1/namespaces/elsewhere/pingsources/sweep-due',
    );
    expect(JSON.stringify(elsewhere)).not.toMatch(/namespaces?[":/]+phaseout(?!-dead-man)\b/);
  });

  test('says its types of events', () => {
    const names = ofKind(objects, 'eventing.knative.dev/v1beta3/EventType').map(
      ({ metadata }) => metadata.name,
    );
    expect(names).toEqual(Object.keys(eventSchemas));
  });
});

describe('the Job that sets up the table', () => {
  test('runs the image with one word, and asks Kubernetes for nothing', () => {
    expect(at(job({ image: 'i' }), 'spec', 'template', 'spec')).toMatchObject({
      serviceAccountName: 'phaseout-table',
      automountServiceAccountToken: false,
      restartPolicy: 'OnFailure',
      containers: [{ image: 'i', args: ['table'] }],
    });
  });

  test('has a ServiceAccount without a token, whoever runs as it', () => {
    expect(only(renderedForAll(), 'v1/ServiceAccount', 'phaseout-table')).toMatchObject({
      automountServiceAccountToken: false,
    });
  });

  test('has another name when it would do something else', () => {
    const names = [
      job({}),
      job({ image: 'other' }),
      job({ environment: { PHASEOUT_TABLE: 'other' } }),
      job({ environment: { AWS_REGION: 'x' } }),
    ].map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(4);
    expect(job({ environment: { PHASEOUT_LOG: 'text' } }).metadata.name).toBe(names[0]);
  });
});
