import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Source {
  /** Relative to the repository. */
  path: string;
  text: string;
  /** What it imports: paths relative to the repository, or names of packages. */
  imports: string[];
}

function sourcesIn(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => sourceAt(join(folder, name)));
}

function sourceAt(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  const named = [...found].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
  const imports = named.map((name) =>
    name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name,
  );
  return { path, text, imports };
}

const functions = sourcesIn('functions');
const shared = sourcesIn('shared');
const events = sourcesIn('events');
const infra = sourcesIn('infra');

const isIn =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
const isPackage =
  (...names: string[]) =>
  (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}/`));

/** `file -> import` of each import that is not allowed. */
const violations = (sources: readonly Source[], isForbidden: (path: string) => boolean): string[] =>
  sources.flatMap(({ path, imports }) => imports.filter(isForbidden).map((each) => `${path} -> ${each}`));

const sdks = ['@kubernetes/client-node', 'undici', '@aws-sdk', 'cloudevents', '@middy/core'];
const isSdk = isPackage(...sdks);
const isHttp = isIn('shared/runtime/http');
const isAdapter = isIn('shared/adapters');

test('the imports were found', () => {
  const all = [...functions, ...shared, ...events, ...infra];
  const relativeImports = all.flatMap(({ imports }) => imports).filter((path) => path.endsWith('.ts'));
  expect(functions).toHaveLength(11);
  expect(relativeImports.length).toBeGreaterThan(300);
  expect(sourceAt('functions/node.ts').imports).toContain('shared/phase/definition.ts');
});

describe('functions', () => {
  test('know neither each other nor adapters, events, infrastructure or HTTP', () => {
    const forbidden = isIn('functions', 'shared/adapters', 'shared/runtime/http', 'events', 'infra', 'test');
    expect(violations(functions, forbidden)).toEqual([]);
  });

  test('use no package', () => {
    expect(violations(functions, (path) => !path.includes('.ts'))).toEqual([]);
  });
});

describe('the shared core', () => {
  const core = shared.filter(({ path }) => !isAdapter(path) && !isHttp(path));

  test('uses no SDK', () => {
    expect(violations(core, isSdk)).toEqual([]);
  });

  test('knows no adapters, functions, events, infrastructure or HTTP', () => {
    const forbidden = isIn('shared/adapters', 'shared/runtime/http', 'functions', 'events', 'infra', 'test');
    expect(violations(core, forbidden)).toEqual([]);
  });

  test('decides without IO: outside the runtime only zod is used', () => {
    const pure = core.filter(({ path }) => !path.startsWith('shared/runtime/'));
    expect(violations(pure, (path) => !path.endsWith('.ts') && path !== 'zod')).toEqual([]);
  });

  test.each([
    'shared/machine',
    'shared/drain',
    'shared/volumes',
    'shared/dialects',
    'shared/kubernetes',
    'shared/actuator',
    'shared/text',
    'shared/time',
  ])('%s does not know the runtime', (folder) => {
    const sources = core.filter(({ path }) => isIn(folder)(path));
    expect(sources).not.toEqual([]);
    expect(violations(sources, isIn('shared/runtime'))).toEqual([]);
  });
});

describe('adapters', () => {
  const adapters = shared.filter(({ path }) => isAdapter(path));

  test.each([
    ['kubernetes', ['@kubernetes/client-node', 'undici']],
    ['dynamodb', ['@aws-sdk']],
  ])('%s alone uses %j', (adapter, names) => {
    const others = shared.filter(({ path }) => !isIn(`shared/adapters/${adapter}`)(path) && !isHttp(path));
    expect(violations(others, isPackage(...names))).toEqual([]);
    const own = adapters.filter(({ path }) => isIn(`shared/adapters/${adapter}`)(path));
    expect(violations(own, (path) => isSdk(path) && !isPackage(...names)(path))).toEqual([]);
  });

  test.each(['kubernetes', 'dynamodb', 'actuator'])('%s does not know the others', (adapter) => {
    const own = adapters.filter(({ path }) => isIn(`shared/adapters/${adapter}`)(path));
    expect(own).not.toEqual([]);
    const isOthers = (path: string) =>
      /^shared\/adapters\/\w+\//.test(path) && !isIn(`shared/adapters/${adapter}`)(path);
    expect(violations(own, isOthers)).toEqual([]);
  });

  test('know the core only', () => {
    expect(violations(adapters, isIn('functions', 'events', 'infra', 'test', 'shared/runtime'))).toEqual([]);
  });
});

describe('HTTP', () => {
  const http = shared.filter(({ path }) => isHttp(path));

  test('knows events and the runtime, but neither adapters nor functions nor infrastructure', () => {
    expect(violations(http, isIn('shared/adapters', 'functions', 'infra', 'test'))).toEqual([]);
  });

  test('uses no SDK of Kubernetes or DynamoDB', () => {
    expect(violations(http, isPackage('@kubernetes/client-node', '@aws-sdk'))).toEqual([]);
  });
});

const isForeign = (path: string) => !path.endsWith('.ts') && !path.startsWith('node:') && path !== 'zod';

describe('the contract with the bus', () => {
  test('knows only what is pure', () => {
    const allowed = ['shared/machine/messages.ts', 'shared/time/clock.ts', 'shared/phase/decision.ts'];
    const isPure = (path: string) =>
      allowed.includes(path) || isIn('events', 'shared/machine', 'shared/kubernetes', 'shared/time')(path);
    expect(violations(events, (path) => path.endsWith('.ts') && !isPure(path))).toEqual([]);
  });

  test('uses no package but zod', () => {
    expect(violations(events, isForeign)).toEqual([]);
  });
});

test('what runs in a container knows neither the local platform nor the commands nor what makes manifests', () => {
  const host = infra.filter(({ path }) => isIn('infra/host')(path));
  const elsewhere = isIn('infra/local', 'infra/cli', 'infra/knative', 'infra/image', 'infra/actuator');
  expect(host).not.toEqual([]);
  expect(violations(host, elsewhere)).toEqual([]);
});

const isOfOtel = (path: string): boolean => path.startsWith('@opentelemetry/');

describe('metrics and traces', () => {
  test.each([
    ['Prometheus', isPackage('prom-client'), ['infra/host/metrics/registry.ts']],
    [
      'OpenTelemetry',
      isOfOtel,
      ['infra/host/tracing/context.ts', 'infra/host/tracing/otel.ts', 'infra/host/tracing/sampler.ts'],
    ],
  ] as const)(
    'of %s are known where they are put into its words, and nowhere else',
    (_name, isIts, files) => {
      const all = [...functions, ...shared, ...events, ...infra];
      const users = all.filter(({ imports }) => imports.some(isIts)).map(({ path }) => path);
      expect(users.toSorted()).toEqual(files);
    },
  );

  test.each([
    ['infra/host/metrics/registry.ts', 'infra/host/metrics/metrics.ts'],
    ['infra/host/tracing/otel.ts', 'infra/host/tracing/tracing.ts'],
  ])('%s is loaded late, by %s alone', (late, opener) => {
    const users = infra.filter(({ imports }) => imports.includes(late));
    expect(users.map(({ path }) => path)).toEqual([opener]);
    expect(users[0]?.text).toMatch(new RegExp(`await import\\('\\./${late.slice('infra/host/'.length)}'\\)`));
  });
});

test('infrastructure knows no tests', () => {
  expect(violations(infra, isIn('test'))).toEqual([]);
});

describe('rendering', () => {
  const isPlugin = isIn('infra/serverless/osls');
  const rendering = infra.filter(
    ({ path }) =>
      isIn('infra/knative', 'infra/serverless')(path) && !isPlugin(path) && path !== 'infra/osls/plugin.ts',
  );

  test('knows neither the command line nor a cluster, on this machine or elsewhere', () => {
    expect(rendering.length).toBeGreaterThan(30);
    const forbidden = isIn('infra/cli', 'infra/local', 'infra/image', 'functions', 'shared/adapters', 'test');
    expect(violations(rendering, (path) => forbidden(path) || isPlugin(path) || isSdk(path))).toEqual([]);
  });

  test('reads and writes files in two places only', () => {
    const readers = rendering.filter(({ imports }) => imports.some((name) => name.startsWith('node:fs')));
    expect(readers.map(({ path }) => path)).toEqual([
      'infra/knative/definitions.ts',
      'infra/knative/write.ts',
    ]);
  });

  test('has small files', () => {
    const long = rendering.filter(({ text }) => text.split('\n').length - 1 > 200);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe('time and chance are passed in', () => {
  // A keep-alive of sockets is no decision, and the server's random ids are the API server's.
  const mayUse: Record<string, RegExp> = {
    'Date.now': /^shared\/clock\.ts$/,
    'new Date()': /^shared\/clock\.ts$/,
    'Math.random': /^infra\/(host|cli|local)\/|^infra\/local\/kubernetes\/api-server\.ts$/,
    setTimeout: /^shared\/clock\.ts$|^infra\/(cli|host)\//,
    setInterval:
      /^shared\/clock\.ts$|^infra\/(cli|host)\/|^infra\/actuator\/conformance\/main\.ts$|^shared\/runtime\/http\/outbox\.ts$/,
  };
  const uses: Record<string, RegExp> = {
    'Date.now': /\bDate\.now\b/,
    'new Date()': /\bnew Date\(\)/,
    'Math.random': /\bMath\.random\b/,
    setTimeout: /\bsetTimeout\(/,
    setInterval: /\bsetInterval\(/,
  };

  test.each(Object.keys(uses))('%s', (what) => {
    const sources = [...functions, ...shared, ...events, ...infra];
    const found = sources.filter(({ text }) => uses[what]!.test(text)).map(({ path }) => path);
    expect(found.filter((path) => !mayUse[what]!.test(path))).toEqual([]);
  });
});

describe('files stay small', () => {
  test('none has more than 200 lines', () => {
    const long = [...functions, ...shared, ...events].filter(({ text }) => text.split('\n').length - 1 > 200);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

test('the repository has the entries it is meant to have', () => {
  const allowed = [
    'LICENSE',
    'README.md',
    'events',
    'functions',
    'infra',
    'package-lock.json',
    'package.json',
    'serverless.yml',
    'shared',
    'test',
    'tsconfig.json',
  ];
  const installed = ['node_modules', 'coverage'];
  const entries = readdirSync(root).filter((name) => !name.startsWith('.') && !installed.includes(name));
  expect(entries.filter((name) => !allowed.includes(name))).toEqual([]);
});

test('no lint rule is switched off in place', () => {
  const all = [...functions, ...shared, ...events, ...infra.filter(({ path }) => isIn('infra/host')(path))];
  const suppressions = /\b(?:eslint|oxlint|biome)-(?:disable|ignore)|@ts-(?:ignore|expect-error|nocheck)/;
  expect(all.filter(({ text }) => suppressions.test(text)).map(({ path }) => path)).toEqual([]);
});
