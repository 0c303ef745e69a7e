import type { Resource } from '../../../shared/kubernetes/client.ts';
import { groupVersionOf, type KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { resourceOf, type Site } from './site.ts';

interface Product {
  name: string;
  /** API groups that it serves. */
  groups: readonly string[];
  /** A CustomResourceDefinition of it; a label names its release. */
  definition: string;
  /** The release that has all that is used here, and what older ones lack. */
  atLeast?: { version: readonly [number, number]; for: string };
}

const howToInstall = 'https://knative.dev/docs/install/ says how';

const products: readonly Product[] = [
  {
    name: 'Knative Serving',
    groups: ['serving.knative.dev'],
    definition: 'services.serving.knative.dev',
  },
  {
    name: 'Knative Eventing',
    groups: ['eventing.knative.dev', 'sources.knative.dev'],
    definition: 'pingsources.sources.knative.dev',
    atLeast: { version: [1, 13], for: 'PingSources with seconds' },
  },
];

const versionLabel = 'app.kubernetes.io/version';

export const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
};

/**
 * Throws CannotDo if the cluster lacks a kind that the objects need, and names it. What is defined by
 * one of the objects themselves is not asked for.
 */
export async function findKnative(site: Site, objects: readonly KubeObject[]): Promise<void> {
  const missing = await missingKinds(site, objects);
  const lacking = products.filter(({ groups }) => missing.some(({ group }) => groups.includes(group)));
  const problems = lacking.map(({ name, groups }) => {
    const kinds = missing.filter(({ group }) => groups.includes(group)).map(({ text }) => text);
    return `${name} is not installed, or too old (${kinds.join(', ')} is not served): ${howToInstall}`;
  });
  const known = new Set(products.flatMap(({ groups }) => groups));
  const others = missing.filter(({ group }) => !known.has(group)).map(({ text }) => `${text} is not served`);
  if (problems.length + others.length > 0) throw new CannotDo([...problems, ...others].join('\n'));
  for (const product of products) await findVersion(site, product);
}

async function missingKinds(site: Site, objects: readonly KubeObject[]) {
  const samples = new Map(objects.map((object) => [`${object.apiVersion} ${object.kind}`, object]));
  const answers = await Promise.all(
    [...samples].map(async ([text, object]) => {
      const isServed = (await resourceOf(site, object)) !== undefined;
      return isServed ? [] : [{ text, group: groupVersionOf(object).group }];
    }),
  );
  return answers.flat();
}

async function findVersion({ kubernetes, tell }: Site, product: Product): Promise<void> {
  const { name, definition, atLeast } = product;
  const found = await kubernetes.get(definitions, { name: definition });
  const version = found?.metadata.labels?.[versionLabel];
  const numbers = /^v?(\d+)\.(\d+)/.exec(version ?? '');
  if (numbers === null) return tell({ event: 'found', text: `${name}, of an unknown version` });
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  if (atLeast !== undefined && isBefore([major, minor], atLeast.version)) {
    const wanted = atLeast.version.join('.');
    throw new CannotDo(`${name} ${version} is too old: ${atLeast.for} need ${wanted} or later`);
  }
  tell({ event: 'found', text: `${name} ${version}` });
}

const isBefore = (one: readonly [number, number], other: readonly [number, number]): boolean =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
