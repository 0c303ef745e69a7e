import { describe, expect, test } from 'vitest';
import { readTracingSettings, type TracingSettings } from '../../../../infra/host/tracing/settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const read = (env: Record<string, string>) => readTracingSettings(env, 'pod-1');

function settingsOf(env: Record<string, string>): TracingSettings | undefined {
  const reading = read({ ...endpoint, ...env });
  return reading.kind === 'on' ? reading.settings : undefined;
}

describe('traces are off', () => {
  test.each<[string, Record<string, string>]>([
    ['unless an endpoint is named', {}],
    ['where the name is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['when the SDK is', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['when there is no exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('%s', (_what, env) => {
    expect(read(env)).toEqual({ kind: 'off', warnings: [] });
  });

  test('and a word is said, when the endpoint cannot be one', () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toEqual({
      kind: 'off',
      warnings: [
        'the endpoint of OpenTelemetry must be an http or https URL, not "collector:4317/v1/traces"',
      ],
    });
  });
});

test('an endpoint is enough', () => {
  expect(read(endpoint)).toEqual({
    kind: 'on',
    settings: {
      url: 'http://collector:4318/v1/traces',
      sampler: 'parentbased_always_on',
      ratio: 1,
      resource: { 'service.name': 'phaseout', 'service.instance.id': 'pod-1' },
    },
    warnings: [],
  });
});

test.each<[string, Record<string, string>, string]>([
  [
    'of everything, with a slash at its end',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:1/otel/' },
    'http://c:1/otel/v1/traces',
  ],
  ['of traces as it is', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/mine' }, 'https://c/mine'],
])('the endpoint is taken: %s', (_what, env, url) => {
  expect(settingsOf(env)?.url).toBe(url);
});

describe('the sampler', () => {
  test('and its ratio are taken by their standard names', () => {
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(settingsOf(env)).toMatchObject({ sampler: 'parentbased_traceidratio', ratio: 0.25 });
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'that nobody knows',
      { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
      'OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio, not "jaeger_remote"',
    ],
    [
      'with more than all',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10' },
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "10"',
    ],
    [
      'for another protocol',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'spans are sent as http/json, whatever the protocol asked for ("grpc")',
    ],
  ])('%s leaves traces on, and a word is said', (_what, env, warning) => {
    expect(read({ ...endpoint, ...env })).toMatchObject({
      kind: 'on',
      settings: { ratio: 1 },
      warnings: [warning],
    });
  });
});

describe('the process is told of', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'as Knative calls it',
      { K_SERVICE: 'phaseout-drain', K_REVISION: 'phaseout-drain-00002' },
      { 'service.name': 'phaseout-drain', 'faas.version': 'phaseout-drain-00002' },
    ],
    [
      'with attributes of its own, encoded as they may be',
      { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod%20eu, team=fleet,,=x, odd=100%' },
      { 'service.name': 'phaseout', 'deployment.environment.name': 'prod eu', team: 'fleet', odd: '100%' },
    ],
    [
      'by the name that is given before all others',
      { OTEL_SERVICE_NAME: 'mine', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other', K_SERVICE: 'third' },
      { 'service.name': 'mine' },
    ],
  ])('%s', (_what, env, resource) => {
    expect(settingsOf(env)?.resource).toEqual({ 'service.instance.id': 'pod-1', ...resource });
  });
});
