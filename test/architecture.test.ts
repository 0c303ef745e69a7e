import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayImport, pure } from './rooms.ts';

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
const isHttp = isIn('shared/http');

test('the imports were found', () => {
  const all = [...functions, ...shared, ...events, ...infra];
  const relativeImports = all.flatMap(({ imports }) => imports).filter((path) => path.endsWith('.ts'));
  expect(functions).toHaveLength(13);
  expect(relativeImports.length).toBeGreaterThan(300);
  expect(sourceAt('functions/node.ts').imports).toContain('shared/phase/definition.ts');
});

const roomOf = (path: string): string => {
  const [top = '', room = ''] = path.split('/');
  return top === 'shared' ? room : top;
};

describe('the rooms of shared', () => {
  test('are the folders that there are, with no file beside them', () => {
    const entries = readdirSync(join(root, 'shared')).filter((name) => name !== 'README.md');
    expect(entries.toSorted()).toEqual(Object.keys(mayImport).toSorted());
  });

  test.each(Object.entries(mayImport))('%s imports no room but %j', (room, allowed) => {
    const sources = shared.filter(({ path }) => roomOf(path) === room);
    expect(sources).not.toEqual([]);
    const isOther = (path: string) =>
      path.endsWith('.ts') && roomOf(path) !== room && !allowed.includes(roomOf(path));
    expect(violations(sources, isOther)).toEqual([]);
  });

  test('stand on floors: each room imports rooms that the table has before it', () => {
    const rooms = Object.keys(mayImport);
    const isAfter = (room: string) => (other: string) => rooms.indexOf(other) >= rooms.indexOf(room);
    expect(rooms.filter((room) => mayImport[room]!.some(isAfter(room)))).toEqual([]);
  });

  test.each([...pure, 'async', 'observe', 'assess', 'plan', 'explain'])(
    '%s decides without IO: it uses no package but zod, and one that reads schedules',
    (room) => {
      const sources = shared.filter(({ path }) => roomOf(path) === room);
      const allowed = room === 'policies' ? ['zod', 'croner'] : ['zod'];
      expect(violations(sources, (path) => !path.endsWith('.ts') && !allowed.includes(path))).toEqual([]);
    },
  );

  test('use an SDK in adapters and http alone', () => {
    const others = shared.filter(({ path }) => !['adapters', 'http'].includes(roomOf(path)));
    expect(violations(others, isSdk)).toEqual([]);
  });
});

describe('who tells of a deletion', () => {
  const telling = [...shared, ...infra].filter(({ path }) =>
    isIn('shared/explain', 'shared/plan', 'shared/follow', 'infra/page', 'infra/cli')(path),
  );
  /** These look for Pods of phaseout itself: its store, and what installs it. */
  const ofPhaseout = ['infra/cli/deploy/pods-of-job.ts', 'infra/cli/history/forwarded.ts'];
  const kinds = /\b(?:pods|podDisruptionBudgets|persistentVolumes|volumeAttachments|nodes)\b/;
  const readKinds = ({ text }: Source): boolean =>
    [...text.matchAll(/import (?!type )\{([^}]*)\} from '[^']*kubernetes\/resources\.ts'/g)].some(
      ([, names = '']) => kinds.test(names),
    );

  test('was found', () => {
    expect(telling.length).toBeGreaterThan(200);
    expect(shared.filter(readKinds).map(({ path }) => path)).toContain('shared/observe/pods.ts');
  });

  test('reads no Pods, budgets, volumes or Nodes beside the one assessment', () => {
    const readers = telling.filter(readKinds).map(({ path }) => path);
    expect(readers).toEqual(ofPhaseout);
    expect(violations(telling, isIn('shared/observe'))).toEqual([]);
  });

  /** Whether what they have installed, or reach, is ready. */
  const others = [
    'infra/cli/deploy/pods-of-job.ts',
    'infra/cli/deploy/readiness.ts',
    'infra/cli/history/forwarded.ts',
  ];

  test('and no conditions', () => {
    expect(violations(telling, (path) => path === 'shared/dialects/conditions.ts')).toEqual([]);
    const byHand = /\bconditions:|\['conditions'\]|status\.conditions/;
    expect(telling.filter(({ text }) => byHand.test(text)).map(({ path }) => path)).toEqual(others);
  });
});

describe('functions', () => {
  const rooms = [
    'phase',
    'observe',
    'blocked',
    'drain',
    'volumes',
    'machine',
    'kubernetes',
    'dialects',
    'time',
    'text',
  ];
  const entry = [...rooms, 'intake', 'follow', 'read', 'runtime', 'cache'];
  const entries = ['intake', 'sweep', 'dead-letter', 'hook-answer'].map((name) => `functions/${name}.ts`);

  test.each(functions.map((each) => [each.path, each] as const))(
    '%s imports what its floor has',
    (path, each) => {
      const allowed = entries.includes(path) ? entry : rooms;
      expect(violations([each], (name) => name.endsWith('.ts') && !allowed.includes(roomOf(name)))).toEqual(
        [],
      );
    },
  );

  test('use no package', () => {
    expect(violations(functions, (path) => !path.includes('.ts'))).toEqual([]);
  });
});

describe('adapters', () => {
  const adapters = shared.filter(({ path }) => isIn('shared/adapters')(path));

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
});

const isForeign = (path: string) => !path.endsWith('.ts') && !path.startsWith('node:') && path !== 'zod';

describe('the contract with the bus', () => {
  test('knows only what is pure', () => {
    const allowed = ['shared/machine/messages.ts', 'shared/time/clock.ts', 'shared/phase/decision.ts'];
    const isPure = (path: string) =>
      allowed.includes(path) ||
      isIn('events', 'shared/machine', 'shared/kubernetes', 'shared/text', 'shared/time')(path);
    expect(violations(events, (path) => path.endsWith('.ts') && !isPure(path))).toEqual([]);
  });

  test('uses no package but zod', () => {
    expect(violations(events, isForeign)).toEqual([]);
  });
});

test('what runs in a container knows neither the local platform nor the commands nor what makes manifests', () => {
  const host = infra.filter(({ path }) => isIn('infra/host', 'infra/hook', 'infra/hook-watchdog')(path));
  const elsewhere = isIn(
    'infra/local',
    'infra/cli',
    'infra/terminal',
    'infra/osls',
    'infra/knative',
    'infra/image',
    'infra/actuator',
  );
  expect(host).not.toEqual([]);
  expect(violations(host, elsewhere)).toEqual([]);
});

const isOfOtel = (path: string): boolean => path.startsWith('@opentelemetry/');

describe('metrics and traces', () => {
  test.each([
    ['Prometheus', isPackage('prom-client'), ['infra/host/metrics/registry.ts']],
    ['OpenTelemetry', isOfOtel, ['infra/host/tracing/otel.ts']],
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
    expect(users[0]?.text).toMatch(new RegExp(`await import\\('\\./${basename(late)}'\\)`));
  });
});

const isPreact = isPackage('preact');

describe('the page', () => {
  const page = infra.filter(({ path }) => isIn('infra/page')(path));

  test('knows no command, no local platform, and no adapter: it is given what it sees with', () => {
    expect(page.length).toBeGreaterThan(30);
    const forbidden = isIn('infra/cli', 'infra/local', 'infra/knative', 'infra/image', 'shared/adapters');
    expect(violations(page, (path) => forbidden(path) || isSdk(path))).toEqual([]);
  });

  test('has a client that knows Preact, the words of the command line, and of all others the types', () => {
    const client = page.filter(({ path }) => isIn('infra/page/client')(path));
    const values = client.map((each) => ({ ...each, imports: valueImports(each) }));
    const words = [
      'shared/explain/plan-words.ts',
      'shared/explain/refusal-meaning.ts',
      'shared/explain/fleet/standing-groups.ts',
      'shared/explain/fleet/words.ts',
    ];
    const isOwn = (path: string) => isIn('infra/page/client')(path) || words.includes(path);
    expect(violations(values, (path) => !isOwn(path) && !isPreact(path))).toEqual([]);
  });

  test('and a server that knows no Preact', () => {
    const others = infra.filter(({ path }) => !isIn('infra/page/client')(path));
    expect(violations(others, isPreact)).toEqual([]);
  });
});

/** What is left of the imports of a file when its types are gone. */
const valueImports = ({ path, text }: Source): string[] => {
  const named = [...text.matchAll(/^import (?!type )[^;]*?from '([^']+)'/gm)].map(([, from = '']) => from);
  return named.map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name));
};

test('infrastructure knows no tests', () => {
  expect(violations(infra, isIn('test'))).toEqual([]);
});

describe('rendering', () => {
  const rendering = infra.filter(({ path }) => isIn('infra/knative', 'infra/serverless')(path));

  test('knows neither the command line nor a cluster, on this machine or elsewhere', () => {
    expect(rendering.length).toBeGreaterThan(30);
    const outer = ['infra/cli', 'infra/terminal', 'infra/osls', 'infra/local', 'infra/image', 'infra/host'];
    const forbidden = isIn(...outer, 'functions', 'shared/adapters', 'test');
    expect(violations(rendering, (path) => forbidden(path) || isSdk(path))).toEqual([]);
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
  // A keep-alive of sockets is no decision, and the server's random ids are the API server's. A browser has its own clock.
  const mayUse: Record<string, RegExp> = {
    'Date.now': /^(shared\/time|infra\/page\/client)\/clock\.ts$/,
    'new Date()': /^shared\/time\/clock\.ts$/,
    'Math.random': /^infra\/(host|cli|local|terminal)\//,
    setTimeout: /^(shared\/time|infra\/page\/client)\/clock\.ts$|^infra\/(cli|host)\//,
    setInterval:
      /^(shared\/time|infra\/page\/client)\/clock\.ts$|^infra\/(cli|hook-watchdog|host)\/|^infra\/actuator\/conformance\/main\.ts$|^shared\/http\/outbox\/outbox\.ts$/,
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

  test('and so do folders: none has more than 30 sources', () => {
    const folders = [...functions, ...shared, ...events, ...infra].map(({ path }) => dirname(path));
    const large = [...new Set(folders)].filter(
      (folder) => folders.filter((each) => each === folder).length > 30,
    );
    expect(large).toEqual([]);
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
  const installed = ['node_modules', 'coverage', 'dist'];
  const entries = readdirSync(root).filter((name) => !name.startsWith('.') && !installed.includes(name));
  expect(entries.filter((name) => !allowed.includes(name))).toEqual([]);
});

test('no lint rule is switched off in place', () => {
  const all = [...functions, ...shared, ...events, ...infra.filter(({ path }) => isIn('infra/host')(path))];
  const suppressions = /\b(?:eslint|oxlint|biome)-(?:disable|ignore)|@ts-(?:ignore|expect-error|nocheck)/;
  expect(all.filter(({ text }) => suppressions.test(text)).map(({ path }) => path)).toEqual([]);
});
