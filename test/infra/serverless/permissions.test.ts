import { expect, test } from 'vitest';
import { problemLines, readServerless } from '../../../infra/serverless/read.ts';

/** The first permission begins in line 9. */
const before = `service: s
provider:
  name: knative
  namespace: ns
  serviceAccountName: sa
  broker: { name: b }
  scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 }
  permissions:
`;

const right: Record<string, string> = {
  side: 'management',
  for: '[capi]',
  scope: 'machine-namespaces',
  apiGroups: "['']",
  resources: '[events]',
  verbs: '[create]',
  why: 'facts',
};

/** Its fields are in lines 9 to 15, in the order above. */
function readingOf(changes: Record<string, string | undefined>) {
  const lines = Object.entries({ ...right, ...changes }).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: ${value}`],
  );
  return readServerless(`${before}    - ${lines.join('\n      ')}\nfunctions: {}\n`);
}

function refusals(changes: Record<string, string | undefined>): string[] {
  const reading = readingOf(changes);
  return reading.kind === 'read' ? [] : problemLines('serverless.yml', reading.problems);
}

test('a permission is read as it is written', () => {
  const reading = readingOf({});
  expect(reading.kind === 'read' && reading.file.permissions).toEqual([
    {
      side: 'management',
      for: ['capi'],
      scope: 'machine-namespaces',
      apiGroups: [''],
      resources: ['events'],
      verbs: ['create'],
      why: 'facts',
    },
  ]);
});

const providers = "['infrastructure.cluster.x-k8s.io']";

test.each<[Record<string, string | undefined>, string[]]>([
  [{ verbs: '[get]', resources: '[secrets]' }, []],
  [{ resources: "['*']", apiGroups: providers }, []],
  [{ for: undefined }, []],
  [
    { side: 'both' },
    ['9: provider.permissions.0.side: "both" is none of the sides management, workload, sources'],
  ],
  [
    { for: '[capi, aws]' },
    ['10: provider.permissions.0.for.1: "aws" is none of the Machine APIs capi, openshift, v1alpha1'],
  ],
  [
    { scope: 'all' },
    [
      '11: provider.permissions.0.scope: "all" is none of the scopes cluster, machine-namespaces, named, namespace-of-named',
    ],
  ],
  [
    { apiGroups: "['*']" },
    ['12: provider.permissions.0.apiGroups.0: must be an API group, empty for the core one; not "*"'],
  ],
  [
    { resources: "['*']" },
    [
      '13: provider.permissions.0.resources.0: all resources are allowed only in the groups of providers, such as bootstrap.cluster.x-k8s.io',
    ],
  ],
  [
    { resources: "['*']", apiGroups: '[cluster.x-k8s.io]' },
    [
      '13: provider.permissions.0.resources.0: all resources are allowed only in the groups of providers, such as bootstrap.cluster.x-k8s.io',
    ],
  ],
  [
    { resources: '[Pods]' },
    [
      '13: provider.permissions.0.resources.0: must be a plural, perhaps with a subresource, such as pods/eviction',
    ],
  ],
  [
    { verbs: "[get, '*']" },
    [
      '14: provider.permissions.0.verbs.1: "*" is none of the verbs get, list, watch, create, update, patch, delete',
    ],
  ],
  [
    { verbs: '[deletecollection]' },
    [
      '14: provider.permissions.0.verbs.0: "deletecollection" is none of the verbs get, list, watch, create, update, patch, delete',
    ],
  ],
  [
    { resources: '[secrets]', verbs: '[get, list, watch]' },
    [
      '14: provider.permissions.0.verbs.1: Secrets are read by their names: only get',
      '14: provider.permissions.0.verbs.2: Secrets are read by their names: only get',
    ],
  ],
  [
    { resources: '[events, secrets]', apiGroups: "[events.k8s.io, '']", verbs: '[list]' },
    ['14: provider.permissions.0.verbs.0: Secrets are read by their names: only get'],
  ],
  [
    { resources: "['*']", apiGroups: "['infrastructure.cluster.x-k8s.io', '']" },
    [
      '13: provider.permissions.0.resources.0: all resources are allowed only in the groups of providers, such as bootstrap.cluster.x-k8s.io',
    ],
  ],
  [{ why: "''" }, ['15: provider.permissions.0.why: must say what it is needed for']],
  [{ scope: 'named' }, ['11: provider.permissions.0.scope: the scope "named" needs namedBy']],
  [
    { namedBy: 'PHASEOUT_ACTUATOR_SECRET' },
    ['16: provider.permissions.0.namedBy: is for the scopes "named" and "namespace-of-named" only'],
  ],
  [{ verb: '[get]' }, ['16: provider.permissions.0.verb: no such field']],
])('of %j it says %j', (changes, said) => {
  expect(refusals(changes)).toEqual(said.map((line) => `serverless.yml:${line}`));
});
