import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isHandWritten, renderRepository } from '../../../infra/knative/repository.ts';
import { version } from '../../../shared/runtime/version.ts';
import { written } from './rendered.ts';

const folder = new URL('../../../infra/manifests/', import.meta.url).pathname;
const files = await renderRepository(written());

describe('infra/manifests is what serverless.yml becomes', () => {
  test.each([...files])('%s', (path, text) => {
    expect(
      readFileSync(join(folder, path), 'utf8'),
      `infra/manifests/${path} is stale: npm run manifests`,
    ).toBe(text);
  });

  test('and nothing else', () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const manifests = found.filter((name) => name.endsWith('.yaml'));
    expect(manifests.filter((name) => !files.has(name) && !isHandWritten(name))).toEqual([]);
  });

  test('rendered twice, it is the same', async () => {
    expect(await renderRepository(written())).toEqual(files);
  });
});

const alone = [
  [
    'admission',
    'admission-beside',
    'admission-beside-hooks',
    'admission-beside-openshift',
    'drain-rules',
    'dead-man',
  ],
  ['observability', 'page', 'viewer', 'viewer-workload'],
  ['workload-clusters/capi', 'workload-clusters/capi-observe', 'workload-clusters/capi-replace'],
  ['workload-clusters/v1alpha1'],
].flat();

describe('what does not go with the installation', () => {
  test.each(alone)('has the recommended labels without managed-by: %s', (of) => {
    const { labels = [] } = parse(readFileSync(join(folder, of, 'kustomization.yaml'), 'utf8'));
    expect(labels).toEqual([
      {
        pairs: {
          'app.kubernetes.io/name': 'phaseout',
          'app.kubernetes.io/instance': 'phaseout',
          'app.kubernetes.io/version': version,
          'app.kubernetes.io/component': of.startsWith('workload-clusters/') ? 'workload-cluster' : of,
          'app.kubernetes.io/part-of': 'phaseout',
        },
      },
    ]);
  });
});

interface Kustomization {
  kind: string;
  resources?: string[];
  components?: string[];
  patches?: { patch: string }[];
}

const kustomizationOf = (of: string): Kustomization => parse(files.get(join(of, 'kustomization.yaml')) ?? '');

interface Target {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

const identityOf = ({ apiVersion, kind, metadata: { name, namespace } }: Target): string =>
  `${apiVersion} ${kind} ${namespace}/${name}`;

/** What kustomize would gather from a folder, before patches. */
function gathered(of: string): string[] {
  const { resources = [], components = [] } = kustomizationOf(of);
  return [...resources, ...components].flatMap((entry) => {
    const path = normalize(join(of, entry));
    const text = files.get(path);
    if (text === undefined) return gathered(path);
    return parseAllDocuments(text).map((document) => identityOf(document.toJS()));
  });
}

const folders = [...files.keys()]
  .filter((path) => path.endsWith('kustomization.yaml'))
  .map((path) => dirname(path));

describe('kustomize finds', () => {
  test.each(folders)('%s: what it lists, each object once', (of) => {
    const objects = gathered(of);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter((object, index) => objects.indexOf(object) !== index)).toEqual([]);
  });

  test.each(folders)('%s: what it patches', (of) => {
    const { kind, patches = [] } = kustomizationOf(of);
    // A component patches what it is put upon.
    const present = kind === 'Component' ? gathered('base') : gathered(of);
    const targets = patches.map(({ patch }) => identityOf(parse(patch)));
    expect(targets.filter((target) => !present.includes(target))).toEqual([]);
  });

  test('for each overlay, the Machine APIs that its functions look after', () => {
    const chosen = ['capi', 'capi-v1beta1', 'openshift', 'v1alpha1', 'all'].map((of) => {
      const patched = kustomizationOf(of).patches?.find(({ patch }) => patch.includes('ConfigMap'));
      return [of, parse(patched?.patch ?? '{}').data?.PHASEOUT_MACHINE_APIS];
    });
    expect(Object.fromEntries(chosen)).toEqual({
      capi: 'capi',
      'capi-v1beta1': 'capi',
      openshift: 'openshift',
      v1alpha1: 'v1alpha1',
      // As it is without a patch.
      all: undefined,
    });
  });
});
