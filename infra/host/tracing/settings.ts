type Env = Readonly<Record<string, string | undefined>>;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof samplers)[number];

/** What OpenTelemetry's standard variables ask for. */
export interface TracingSettings {
  /** Where spans are posted, as OTLP in JSON. */
  url: string;
  sampler: SamplerName;
  /** Of traces that begin here, for the samplers that go by it. */
  ratio: number;
  /** Attributes of the process. */
  resource: Record<string, string>;
}

export type TracingReading =
  | { kind: 'on'; settings: TracingSettings; warnings: string[] }
  | { kind: 'off'; warnings: string[] };

/**
 * Traces are off unless an endpoint is named. Invalid settings are left out with a warning: no deletion
 * waits for its traces.
 */
export function readTracingSettings(env: Env, hostname: string): TracingReading {
  const url = urlIn(env);
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (url === undefined || isOff) return { kind: 'off', warnings: [] };
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return {
      kind: 'off',
      warnings: [`the endpoint of OpenTelemetry must be an http or https URL, not "${url}"`],
    };
  }
  const { sampler, ratio, warnings } = samplingIn(env);
  const resource = resourceIn(env, hostname);
  return {
    kind: 'on',
    settings: { url, sampler, ratio, resource },
    warnings: [...warnings, ...protocol(env)],
  };
}

/** The endpoint of traces is taken as it is. The endpoint of everything has a path below it for each kind of signal. */
function urlIn(env: Env): string | undefined {
  const ofTraces = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const ofAll = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (ofTraces) return ofTraces;
  return ofAll ? `${ofAll.replace(/\/+$/, '')}/v1/traces` : undefined;
}

function samplingIn(env: Env): { sampler: SamplerName; ratio: number; warnings: string[] } {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const known = samplers.find((sampler) => sampler === name);
  const sampler = known ?? 'parentbased_always_on';
  const word = env['OTEL_TRACES_SAMPLER_ARG'] || '1';
  const isRatio = /^\d*\.?\d+$/.test(word) && Number(word) <= 1;
  const warnings = [
    ...(known === undefined
      ? [`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${name}"`]
      : []),
    ...(isRatio ? [] : [`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${word}"`]),
  ];
  return { sampler, ratio: isRatio ? Number(word) : 1, warnings };
}

function protocol(env: Env): string[] {
  const asked =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/json';
  return asked === 'http/json'
    ? []
    : [`spans are sent as http/json, whatever the protocol asked for ("${asked}")`];
}

/** Knative says which Service and Revision this is; what is set by hand wins. */
function resourceIn(env: Env, hostname: string): Record<string, string> {
  const { K_SERVICE: service = 'phaseout', K_REVISION: revision, OTEL_SERVICE_NAME: name } = env;
  return {
    'service.name': service,
    'service.instance.id': hostname,
    ...(revision === undefined ? {} : { 'faas.version': revision }),
    ...pairsIn(env['OTEL_RESOURCE_ATTRIBUTES'] ?? ''),
    ...(name ? { 'service.name': name } : {}),
  };
}

const pairsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? [];
      return key === '' ? [] : [[key.trim(), decoded(value.trim())]];
    }),
  );

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
