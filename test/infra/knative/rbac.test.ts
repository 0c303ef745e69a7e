import { describe, expect, test } from 'vitest';
import { type RbacOptions, rbacObjects, workloadClusterObjects } from '../../../infra/knative/rbac.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aMachine } from '../../builders/cluster-api.ts';
import { aMachine as anOpenShiftMachine } from '../../builders/openshift.ts';
import { anOriginal } from '../../builders/v1alpha1.ts';
import { written } from './rendered.ts';

const file = written();
const all = ['capi', 'openshift', 'v1alpha1'] as const;

interface Shown {
  rules?: { resources: string[]; resourceNames?: string[]; verbs: string[] }[];
  subjects?: { kind: string; name: string; namespace: string }[];
  roleRef?: { kind: string; name: string };
}

const titleOf = ({ kind, metadata: { name, namespace } }: KubeObject): string =>
  [kind, namespace === undefined ? name : `${namespace}/${name}`].join(' ');

const titles = (options: RbacOptions): string[] => rbacObjects(file, options).map(titleOf);

function objectCalled(title: string, options: RbacOptions): KubeObject & Shown {
  const found = rbacObjects(file, options).filter((object) => titleOf(object) === title);
  expect(found).toHaveLength(1);
  return found[0]!;
}

const granted = (title: string, options: RbacOptions): string[] =>
  (objectCalled(title, options).rules ?? []).map(
    ({ resources, resourceNames = [], verbs }) =>
      `${verbs.join(',')} ${[...resources, ...resourceNames].join(' ')}`,
  );

describe('where the Machines may be anywhere', () => {
  test.each([
    [
      'capi',
      [
        'ClusterRole phaseout-management-capi',
        'ClusterRoleBinding phaseout-management-capi',
        'ClusterRole phaseout-providers',
        'ClusterRoleBinding phaseout-providers',
        'ClusterRole phaseout-sources-capi',
        'ClusterRoleBinding phaseout-sources-capi',
      ],
    ],
    [
      'openshift',
      [
        'ClusterRole phaseout-management-openshift',
        'ClusterRoleBinding phaseout-management-openshift',
        'ClusterRole phaseout-workload-openshift',
        'ClusterRoleBinding phaseout-workload-openshift',
        'ClusterRole phaseout-sources-openshift',
        'ClusterRoleBinding phaseout-sources-openshift',
      ],
    ],
    [
      'v1alpha1',
      [
        'ClusterRole phaseout-management-v1alpha1',
        'ClusterRoleBinding phaseout-management-v1alpha1',
        'ClusterRole phaseout-sources-v1alpha1',
        'ClusterRoleBinding phaseout-sources-v1alpha1',
      ],
    ],
  ] as const)('%s has roles of its own', (machineApi, expected) => {
    expect(titles({ machineApis: [machineApi] })).toEqual(expected);
  });

  test('those of several are those of each', () => {
    expect(titles({ machineApis: all })).toEqual(all.flatMap((one) => titles({ machineApis: [one] })));
    expect(titles({ machineApis: ['capi', 'capi'] })).toEqual(titles({ machineApis: ['capi'] }));
  });

  test('each role is bound to the ServiceAccount that needs it', () => {
    const bindings: (KubeObject & Shown)[] = rbacObjects(file, { machineApis: all }).filter(
      ({ kind }) => kind === 'ClusterRoleBinding',
    );
    expect(bindings.filter(({ metadata, roleRef }) => metadata.name !== roleRef?.name)).toEqual([]);
    const bound = bindings.map(({ metadata, subjects }) => [metadata.name, subjects]);
    expect(bound).toEqual(
      bindings.map(({ metadata: { name } }) => [
        name,
        [
          {
            kind: 'ServiceAccount',
            name: name.includes('-sources-') ? 'phaseout-sources' : 'phaseout',
            namespace: 'phaseout',
          },
        ],
      ]),
    );
  });

  test('the sources watch Machines and nothing else', () => {
    const sources = all.flatMap((one) =>
      granted(`ClusterRole phaseout-sources-${one}`, { machineApis: all }),
    );
    expect(sources).toEqual(Array.from(all, () => 'get,list,watch machines'));
  });

  test('Secrets are read by name, and where nothing is configured none of OpenShift', () => {
    const onSecrets = all.map((one) =>
      granted(`ClusterRole phaseout-management-${one}`, { machineApis: [one] }).filter((rule) =>
        rule.includes('secrets'),
      ),
    );
    expect(onSecrets).toEqual([['get secrets'], [], ['get secrets']]);
  });

  test('Pods are evicted, and neither deleted nor changed', () => {
    const rules = [
      ...granted('ClusterRole phaseout-workload-openshift', { machineApis: all }),
      ...granted('ClusterRole phaseout-management-openshift', { machineApis: all }),
    ];
    expect(rules.filter((rule) => rule.includes('pods'))).toEqual([
      'list,watch pods',
      'create pods/eviction',
    ]);
  });
});

describe('where the namespaces of the Machines are given', () => {
  const options = { machineApis: ['capi'], namespaces: ['fleet', 'other'] } as const;

  test('only what is needed everywhere is granted everywhere', () => {
    expect(titles(options)).toEqual([
      'Role fleet/phaseout-management-capi',
      'RoleBinding fleet/phaseout-management-capi',
      'Role other/phaseout-management-capi',
      'RoleBinding other/phaseout-management-capi',
      'ClusterRole phaseout-providers',
      'RoleBinding fleet/phaseout-providers',
      'RoleBinding other/phaseout-providers',
      'Role fleet/phaseout-sources-capi',
      'RoleBinding fleet/phaseout-sources-capi',
      'Role other/phaseout-sources-capi',
      'RoleBinding other/phaseout-sources-capi',
    ]);
    const original = { ...options, machineApis: ['v1alpha1'] } as const;
    expect(granted('ClusterRole phaseout-management-v1alpha1', original)).toEqual(['get nodes']);
    expect(granted('Role fleet/phaseout-management-capi', options)).toContain('get secrets');
    expect(granted('Role fleet/phaseout-management-capi', options)).toContain('list,get,patch machines');
    const kinds = ['management-capi', 'providers'].map(
      (name) => objectCalled(`RoleBinding fleet/phaseout-${name}`, options).roleRef?.kind,
    );
    expect(kinds).toEqual(['Role', 'ClusterRole']);
  });

  test('a source has the ServiceAccount of the namespace it watches, the functions have theirs', () => {
    expect(objectCalled('RoleBinding other/phaseout-sources-capi', options).subjects).toEqual([
      { kind: 'ServiceAccount', name: 'phaseout-sources', namespace: 'other' },
    ]);
    expect(objectCalled('RoleBinding other/phaseout-management-capi', options).subjects).toEqual([
      { kind: 'ServiceAccount', name: 'phaseout', namespace: 'phaseout' },
    ]);
  });

  test('Leases of the control plane are taken there, and Nodes are everywhere', () => {
    const openshift = { machineApis: ['openshift'], namespaces: ['openshift-machine-api'] } as const;
    expect(granted('Role openshift-machine-api/phaseout-workload-openshift', openshift)).toEqual([
      'create,get,delete leases',
    ]);
    expect(granted('ClusterRole phaseout-workload-openshift', openshift)).toContain(
      'get,list,watch,patch,delete nodes',
    );
  });
});

test('what the configuration names is all that there is of its kind', () => {
  const environment = {
    PHASEOUT_ACTUATOR_SECRET: 'phaseout/token',
    PHASEOUT_DUE_PING_SOURCE: 'phaseout/sweep-due',
  };
  const options = { machineApis: ['openshift'], environment } as const;
  expect(titles(options).filter((title) => title.includes('phaseout/'))).toEqual([
    'Role phaseout/phaseout-management-openshift-named',
    'RoleBinding phaseout/phaseout-management-openshift-named',
  ]);
  expect(granted('Role phaseout/phaseout-management-openshift-named', options)).toEqual([
    'get secrets token',
    'get,patch pingsources sweep-due',
  ]);
});

test("the Secret with the provider's token is the only one that OpenShift's role names", () => {
  const environment = { PHASEOUT_ACTUATOR_SECRET: 'cloud/token' };
  const options = { machineApis: ['openshift'], environment } as const;
  expect(granted('Role cloud/phaseout-management-openshift-named', options)).toEqual(['get secrets token']);
  expect(titles(options)).toContain('RoleBinding cloud/phaseout-management-openshift-named');
});

test('whoever installs a provider of another group can add what it needs by a label', () => {
  expect(objectCalled('ClusterRole phaseout-providers', { machineApis: ['capi'] })).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'phaseout-providers' },
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { 'phaseout.dev/aggregate-to-providers': 'true' } }],
    },
  });
});

test.each([
  ['capi', 'capi:beside', 'get,list,watch,patch nodes', 8],
  ['capi', 'replace', 'get,list,watch,patch,delete nodes', 8],
  ['v1alpha1', 'replace', 'get,delete nodes', 1],
  ['capi', 'observe', 'get nodes', 5],
] as const)(
  'in a workload cluster of %s there is one role, in mode %s',
  (machineApi, mode, onNodes, count) => {
    const objects: (KubeObject & Shown)[] = workloadClusterObjects(file, machineApi, { PHASEOUT_MODE: mode });
    expect(objects.map(titleOf)).toEqual([
      'Namespace phaseout',
      'ServiceAccount phaseout/phaseout',
      `ClusterRole phaseout-${mode === 'observe' ? 'observe-' : ''}workload-${machineApi}`,
      `ClusterRoleBinding phaseout-${mode === 'observe' ? 'observe-' : ''}workload-${machineApi}`,
    ]);
    const [first, ...others] = objects[2]?.rules ?? [];
    expect(`${first?.verbs.join()} ${first?.resources.join()}`).toBe(onNodes);
    expect(others).toHaveLength(count - 1);
  },
);

const watching = { machineApis: all, environment: { PHASEOUT_MODE: 'observe' } };

const rules = (environment: Record<string, string>) => {
  const objects: (KubeObject & Shown)[] = rbacObjects(file, {
    ...watching,
    environment: { ...watching.environment, ...environment },
  });
  return objects.flatMap((object) => object.rules ?? []);
};
const rights = (environment: Record<string, string>) =>
  rules(environment).flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${resources.join()}`));

const writes = (environment: Record<string, string>) => [
  ...new Set(rights(environment).filter((right) => !/^(?:get|list|watch) /.test(right))),
];

describe('where phaseout only watches', () => {
  test('the roles are others, and none of them gathers the rights of providers', () => {
    const names = titles(watching).filter((title) => title.startsWith('ClusterRole '));
    expect(names).toEqual([
      'ClusterRole phaseout-observe-management-capi',
      'ClusterRole phaseout-observe-sources-capi',
      'ClusterRole phaseout-observe-management-openshift',
      'ClusterRole phaseout-observe-workload-openshift',
      'ClusterRole phaseout-observe-sources-openshift',
      'ClusterRole phaseout-observe-management-v1alpha1',
      'ClusterRole phaseout-observe-sources-v1alpha1',
    ]);
  });

  test('they only read, but for the schedule of the tick, and Events that were asked for', () => {
    expect(writes({})).toEqual([]);
    expect(writes({ PHASEOUT_DUE_PING_SOURCE: 'phaseout/due', PHASEOUT_OBSERVE_EVENTS: 'true' })).toEqual([
      'create events',
      'patch pingsources',
    ]);
  });
});

test('Nodes are here, and not behind a kubeconfig, where the Machine API says so', () => {
  const machines = {
    capi: clusterApi.workload(aMachine()),
    openshift: openShift.workload(anOpenShiftMachine()),
  };
  const workloads = { ...machines, v1alpha1: originalApi.workload(anOriginal()) };
  const here = all.filter((one) => workloads[one]?.kind === 'here');
  expect(
    titles({ machineApis: all }).filter((title) => title.startsWith('ClusterRole phaseout-workload-')),
  ).toEqual(here.map((one) => `ClusterRole phaseout-workload-${one}`));
});

/** Whether conditions of Nodes may be written, where Nodes and Machines are in one cluster and where they are not. */
function mayShowDrains(environment: Record<string, string>): boolean[] {
  const here = rbacObjects(file, { machineApis: ['openshift'], environment });
  const elsewhere = workloadClusterObjects(file, 'capi', environment);
  return [here, elsewhere].map((objects) => JSON.stringify(objects).includes('nodes/status'));
}

/** Which of these the functions may do to Deployments and to Pods, in a workload cluster. */
function mayAct(actions: string): string[] {
  const objects = workloadClusterObjects(file, 'capi', { PHASEOUT_ACTIONS: actions });
  const may = objects.flatMap((object) => rulesIn(object));
  return [
    'deployments patch',
    'replicasets get',
    'persistentvolumeclaims get',
    'events create',
    'pods delete',
  ].filter((right) => may.includes(right));
}

/** Each as `pods delete`. */
const rulesIn = (object: object): string[] =>
  Array.from(JSON.stringify(object).matchAll(/"resources":\["([^"]+)"\],"verbs":\[([^\]]+)\]/g)).flatMap(
    ([, resource = '', verbs = '']) =>
      verbs.split(',').map((verb) => `${resource} ${verb.replaceAll('"', '')}`),
  );

const ofRestarts = ['deployments patch', 'replicasets get', 'persistentvolumeclaims get', 'events create'];

test.each([
  ['', []],
  ['rollout-restart', ofRestarts],
  ['delete', ['pods delete']],
  ['rollout-restart, delete', [...ofRestarts, 'pods delete']],
])('with the actions "%s" it may do no more than they need', (actions, needed) => {
  expect(mayAct(actions)).toEqual(needed);
});

test('conditions of Nodes may be written only where that is asked for', () => {
  expect(mayShowDrains({})).toEqual([false, false]);
  expect(mayShowDrains({ PHASEOUT_NODE_CONDITIONS: 'false' })).toEqual([false, false]);
  expect(mayShowDrains({ PHASEOUT_NODE_CONDITIONS: 'true' })).toEqual([true, true]);
});
