import { describe, expect, it } from 'vitest';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { machineDrainRules } from '../../../../infra/local/kubernetes/crds/installed.ts';
import { CannotDo } from '../../../../infra/terminal/usage-error.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { configMap, options, ours, service, someObjects, trigger } from './installation.ts';
import { aCluster, type ClusterOptions, siteAt } from './knative-cluster.ts';

async function deployed(objects = someObjects, how: ClusterOptions = {}) {
  const cluster = await aCluster(how);
  await deploy(siteAt(cluster).site, options(objects));
  return cluster;
}

describe('deploy', () => {
  it('creates everything in order and waits until it is ready', async () => {
    const cluster = await aCluster();
    const { site, told, changes, texts } = siteAt(cluster);
    expect(await deploy(site, options())).toBe('done');
    expect(changes()).toEqual([
      'created Namespace phaseout',
      'created ConfigMap phaseout/phaseout',
      'created ClusterRole phaseout-management',
      'created Broker phaseout/phaseout',
      'created Knative Service phaseout/phaseout',
      'created Trigger phaseout/drain',
      'created ApiServerSource phaseout/machines',
    ]);
    expect(told.flatMap((one) => (one.event === 'ready' ? [one.object] : [])).toSorted()).toEqual([
      'ApiServerSource phaseout/machines',
      'Broker phaseout/phaseout',
      'Knative Service phaseout/phaseout',
      'Trigger phaseout/drain',
    ]);
    expect(texts().slice(0, 3)).toEqual([
      'Machine APIs: capi (cluster.x-k8s.io/v1beta2)',
      'Knative Serving 1.16.0',
      'Knative Eventing 1.16.2',
    ]);
    expect(texts().at(-1)).toMatch(/^7 created; all is ready after \d/);
  });

  it('renders for the Machine APIs that are served, in their versions', async () => {
    const { site } = siteAt(await aCluster({ machines: 'v1alpha1' }));
    const asked: object[] = [];
    const render = (machineApis: object) => {
      asked.push(machineApis);
      return someObjects;
    };
    await deploy(site, options([], { render }));
    expect(asked).toEqual([{ v1alpha1: 'cluster.k8s.io/v1alpha1' }]);
  });

  it('changes nothing the second time', async () => {
    const { site, changes, texts } = siteAt(await deployed());
    await deploy(site, options());
    expect(changes().filter((change) => !change.startsWith('unchanged'))).toEqual([]);
    expect(texts().at(-1)).toMatch(/^7 unchanged;/);
  });

  it('tells which fields it changes', async () => {
    const { site, told } = siteAt(await deployed());
    await deploy(
      site,
      options([...someObjects.filter(({ kind }) => kind !== 'Service'), service('phaseout:2')]),
    );
    expect(told).toContainEqual({
      event: 'object',
      change: 'changed',
      object: 'Knative Service phaseout/phaseout',
      fields: [
        {
          field: 'spec.template.spec.containers[0].image',
          before: 'phaseout:1',
          after: 'phaseout:2',
        },
      ],
    });
  });

  it('removes what an earlier version had and this one has not, and nothing else', async () => {
    const cluster = await deployed([...someObjects, trigger('old'), trigger('older')]);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u', controller: true };
    const labels = { 'app.kubernetes.io/managed-by': 'phaseout' };
    const made = { name: 'made', namespace: 'phaseout', labels, ownerReferences: [owner] };
    cluster.cluster.create('services', { metadata: made });
    const users = {
      name: 'users',
      namespace: 'phaseout',
      labels: { 'app.kubernetes.io/part-of': 'phaseout' },
    };
    cluster.cluster.create('configmaps', { metadata: users });
    const { site, changes } = siteAt(cluster);
    await deploy(site, options());
    expect(changes().filter((change) => change.startsWith('removed'))).toEqual([
      'removed Trigger phaseout/old',
      'removed Trigger phaseout/older',
    ]);
    expect(cluster.cluster.get('services', 'phaseout', 'made')).toBeDefined();
    expect(cluster.cluster.get('configmaps', 'phaseout', 'users')).toBeDefined();
  });

  it('leaves what holds data, and what is on its way out already', async () => {
    const cluster = await deployed();
    cluster.apiServer.restore(ours('v1', 'PersistentVolumeClaim', 'phaseout-dynamodb'));
    const triggers = 'triggers.eventing.knative.dev';
    const held = trigger('held');
    held.metadata.finalizers = ['held.dev/x'];
    cluster.cluster.remove(triggers, cluster.cluster.create(triggers, held));
    const { site, changes } = siteAt(cluster);
    await deploy(site, options());
    expect(changes().filter((change) => change.startsWith('removed'))).toEqual([]);
    expect(cluster.cluster.list('persistentvolumeclaims')).toHaveLength(1);
  });

  it('tells a Service of Knative from one of Kubernetes that has its name', async () => {
    const cluster = await deployed([...someObjects, ours('v1', 'Service', 'phaseout')]);
    const { site, changes } = siteAt(cluster);
    await deploy(site, options());
    expect(changes()).toContain('removed Service phaseout/phaseout');
    expect(cluster.cluster.get('services.serving.knative.dev', 'phaseout', 'phaseout')).toBeDefined();
  });
});

/** The objects with one in the place of that of its kind. */
const withOne = (object: KubeObject): KubeObject[] => [
  ...someObjects.filter(({ kind }) => kind !== object.kind),
  object,
];

describe('a cluster that is not fit for it', () => {
  it.each<[string, ClusterOptions, Parameters<typeof options>[1], RegExp]>([
    [
      'no Eventing',
      { eventing: undefined },
      {},
      /^Knative Eventing is not installed, or too old \(eventing\.knative\.dev\/v1 Broker, .*ApiServerSource is not served\)/,
    ],
    ['no Serving', { serving: undefined }, {}, /^Knative Serving is not installed/],
    [
      'an old Eventing',
      { eventing: '1.12.4' },
      {},
      /^Knative Eventing 1\.12\.4 is too old: PingSources with seconds need 1\.13 or later$/,
    ],
    [
      'a kind that is of neither',
      {},
      { render: () => [...someObjects, ours('other.dev/v1', 'Thing', 'a')] },
      /^other\.dev\/v1 Thing is not served$/,
    ],
    ['no Machines', { machines: 'none' }, {}, /serves no Machines .*: install a Machine API first$/],
    [
      'not the Machines that are wanted',
      {},
      { machineApis: ['capi', 'openshift'] },
      /^there are no Machines of openshift here: http.* does not serve them$/,
    ],
  ])('%s: nothing is changed', async (_, how, more, message) => {
    const { site, changes } = siteAt(await aCluster(how));
    const deploying = deploy(site, options(someObjects, more));
    await expect(deploying).rejects.toThrow(CannotDo);
    await expect(deploying).rejects.toThrow(message);
    expect(changes()).toEqual([]);
  });

  it('one with the oldest Eventing that has what is needed is', async () => {
    const { site } = siteAt(await aCluster({ eventing: '1.13.0' }));
    expect(await deploy(site, options())).toBe('done');
  });

  it('one that has phaseout in another namespace: nothing is changed', async () => {
    const cluster = await aCluster();
    const { metadata, ...rest } = service();
    cluster.cluster.create('namespaces', { metadata: { name: 'elsewhere' } });
    cluster.cluster.create('services.serving.knative.dev', {
      ...rest,
      metadata: { ...metadata, namespace: 'elsewhere' },
    });
    const { site, changes } = siteAt(cluster);
    await expect(deploy(site, options())).rejects.toThrow(
      /^phaseout is installed in namespace elsewhere, not phaseout: a cluster takes one/,
    );
    expect(changes()).toEqual([]);
  });

  it('one that cannot be asked is not one without anything', async () => {
    const { site } = siteAt(await aCluster());
    const kubernetes = { ...site.kubernetes, list: () => Promise.reject(new Unavailable('no answer')) };
    await expect(deploy({ ...site, kubernetes }, options())).rejects.toThrow(Unavailable);
  });

  it('an object that is refused: it is named, and nothing is changed but for the namespace', async () => {
    const cluster = await aCluster();
    const { site, changes } = siteAt(cluster);
    await expect(deploy(site, options([...someObjects, trigger('A_B'), trigger('C_D')]))).rejects.toThrow(
      /^refused\. Nothing was changed, but these are there now: Namespace phaseout\. Refused are:\nTrigger phaseout\/A_B: .*Invalid value: "A_B"[^]*\nTrigger phaseout\/C_D: /,
    );
    expect(changes()).toEqual(['created Namespace phaseout']);
    expect(cluster.cluster.list('triggers.eventing.knative.dev')).toEqual([]);
  });
});

const ourDefinition = {
  ...machineDrainRules(),
  metadata: {
    name: machineDrainRules().metadata.name,
    labels: { 'app.kubernetes.io/managed-by': 'phaseout' },
  },
};

it('warns where nothing says where the store is', async () => {
  const { site, told } = siteAt(await aCluster());
  const nowhere = someObjects.map((one) => (one.kind === 'ConfigMap' ? configMap({ AWS_REGION: '' }) : one));
  await deploy(site, options(nowhere));
  expect(told).toContainEqual({
    event: 'warning',
    text: 'nothing says where the store is (--set AWS_REGION=… or PHASEOUT_DYNAMODB_ENDPOINT=…, or --dynamodb-local): instances get ready only where something else, such as the webhook of AWS for roles, gives them a region',
  });
});

describe('what is there already', () => {
  const patch =
    'kubectl -n capi-system patch deployment capi-controller-manager --type json -p ' +
    '\'[{"op":"add","path":"/spec/template/spec/containers/0/args/-","value":"--watch-filter=left-to-phaseout"}]\'';

  it.each<[what: string, spec: object, warnings: string[]]>([
    [
      'that is down, with its webhooks',
      { replicas: 0 },
      [
        `Deployment capi-system/capi-controller-manager, the own controller of capi, is down: it answers the webhooks for Machines, and without them the API server refuses every write. Have it look after none (${patch}), and start it`,
      ],
    ],
    [
      'that looks after none',
      { template: { spec: { containers: [{ args: ['--watch-filter=left-to-phaseout'] }] } } },
      [],
    ],
  ])('the own controller of the Machine API %s', async (_what, spec, warnings) => {
    const cluster = await aCluster();
    cluster.cluster.create('namespaces', { metadata: { name: 'capi-system' } });
    const metadata = { name: 'capi-controller-manager', namespace: 'capi-system' };
    cluster.cluster.create('deployments.apps', { metadata, spec });
    const { site, told } = siteAt(cluster);
    await deploy(site, options());
    const said = told.flatMap((one) => (one.event === 'warning' ? [one.text] : []));
    expect(said).toEqual(warnings);
  });

  it.each([true, false])('only watches a controller, whether that runs or not: %s', async (peer) => {
    const watching = someObjects.map((one) =>
      one.kind === 'ConfigMap' ? configMap({ PHASEOUT_MODE: 'observe' }) : one,
    );
    const { site, told } = siteAt(await aCluster({ peer }));
    expect(await deploy(site, options(watching))).toBe('done');
    expect(told.filter(({ event }) => event === 'warning')).toEqual([]);
  });

  it('refuses to take the place of a controller that runs, and to be beside one that does not', async () => {
    const running = siteAt(await aCluster({ peer: true })).site;
    await expect(deploy(running, options())).rejects.toThrow("Cluster API's own controller runs: Lease");
    const beside = someObjects.map((one) =>
      one.kind === 'ConfigMap' ? configMap({ PHASEOUT_MODE: 'capi:beside' }) : one,
    );
    const { site } = siteAt(await aCluster());
    await expect(deploy(site, options(beside))).rejects.toThrow("Cluster API's own controller does not run");
  });

  it.each([
    ['of somebody else', {}],
    [
      'that Cluster API has taken over',
      { ...ourDefinition.metadata.labels, 'cluster.x-k8s.io/provider': 'capi' },
    ],
  ])('a definition %s is left as it is', async (_, labels) => {
    const cluster = await aCluster({ machines: 'v1alpha1' });
    const { name } = machineDrainRules().metadata;
    const there = { ...machineDrainRules(), metadata: { name, labels } };
    cluster.cluster.create('customresourcedefinitions.apiextensions.k8s.io', there);
    const { site, changes, texts } = siteAt(cluster);
    await deploy(site, options([ourDefinition, ...someObjects]));
    expect(changes()).toHaveLength(someObjects.length);
    expect(texts()).toContain(`CustomResourceDefinition ${name} is there already, and left as it is`);
  });

  it('policies are left out where the API server is too old for them', async () => {
    const { site, changes, texts } = siteAt(await aCluster());
    const discover = site.kubernetes.discover.bind(site.kubernetes);
    site.kubernetes.discover = async (group, kind, version) =>
      group === 'admissionregistration.k8s.io' ? undefined : discover(group, kind, version);
    const policies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].map((kind) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'hooks' },
    }));
    await deploy(site, options([...policies, ...someObjects]));
    expect(changes()).toHaveLength(someObjects.length);
    expect(texts()).toContain(
      `without admission policies: ${site.where} does not serve them, Kubernetes 1.30 and later do`,
    );
  });

  it('a definition of ours is brought up to date', async () => {
    const objects = [ourDefinition, ...someObjects];
    const cluster = await deployed(objects, { machines: 'v1alpha1' });
    const { site, changes } = siteAt(cluster);
    const metadata = { ...ourDefinition.metadata, annotations: { new: 'yes' } };
    await deploy(site, options([{ ...ourDefinition, metadata }, ...someObjects]));
    const { name } = ourDefinition.metadata;
    expect(changes()).toContain(`changed CustomResourceDefinition ${name}`);
  });

  it.each([
    ['0 0 1 1 *', '0 0 1 1 *', 'unchanged'],
    ['*/7 * * * * *', '*/5 * * * * *', 'changed'],
  ])('a PingSource with the schedule %s has %s afterwards', async (live, after, change) => {
    const annotations = {
      'phaseout.dev/schedule-while-deleting': '*/5 * * * * *',
      'phaseout.dev/schedule-at-rest': '0 0 1 1 *',
    };
    const due = ours('sources.knative.dev/v1', 'PingSource', 'sweep-due', {
      spec: { schedule: '*/5 * * * * *' },
    });
    const pingSource = { ...due, metadata: { ...due.metadata, annotations } };
    const cluster = await deployed(withOne(pingSource));
    const key = 'pingsources.sources.knative.dev';
    const { site, changes } = siteAt(cluster);
    const resource = { group: 'sources.knative.dev', version: 'v1', plural: 'pingsources' };
    // As the functions do it, under the same name.
    await site.kubernetes.mergePatch(
      resource,
      { namespace: 'phaseout', name: 'sweep-due' },
      { spec: { schedule: live } },
    );
    await deploy(site, options(withOne(pingSource)));
    expect(cluster.cluster.get(key, 'phaseout', 'sweep-due')?.['spec']).toEqual({ schedule: after });
    expect(changes().at(-1)).toBe(`${change} PingSource phaseout/sweep-due`);
  });
});

describe('a dry run', () => {
  it('of a first installation tries what it can and stores nothing', async () => {
    const cluster = await aCluster();
    const { site, told, texts } = siteAt(cluster);
    await deploy(site, options(someObjects, { dryRun: true }));
    expect(told.filter(({ event }) => event === 'object')).toMatchObject([
      { change: 'created', object: 'Namespace phaseout', dryRun: true },
      { change: 'created', object: 'ConfigMap phaseout/phaseout', dryRun: true },
      { change: 'created', object: 'ClusterRole phaseout-management', dryRun: true },
      {},
      {},
      {},
      {},
    ]);
    expect(texts().at(-1)).toBe(
      '7 created; the cluster was not asked about 5 of them: their Namespace or ServiceAccount is not there yet; nothing was done: a dry run',
    );
    expect(cluster.cluster.get('namespaces', undefined, 'phaseout')).toBeUndefined();
  });

  it('of an upgrade says what would change and what would go', async () => {
    const cluster = await deployed([...someObjects, trigger('old')]);
    const { site, changes } = siteAt(cluster);
    const said = ['PHASEOUT_TABLE'];
    await deploy(site, options(withOne(configMap({ PHASEOUT_TABLE: 'other' })), { dryRun: true, said }));
    expect(changes().filter((change) => !change.startsWith('unchanged'))).toEqual([
      'changed ConfigMap phaseout/phaseout',
      'removed Trigger phaseout/old',
    ]);
    expect(cluster.cluster.get('configmaps', 'phaseout', 'phaseout')?.['data']).toEqual({
      AWS_REGION: 'eu-central-1',
      PHASEOUT_TABLE: 'phaseout',
    });
    expect(cluster.cluster.get('triggers.eventing.knative.dev', 'phaseout', 'old')).toBeDefined();
  });
});

describe('what does not get ready', () => {
  it('is named with its condition when the time is over', async () => {
    const { site, told } = siteAt(await aCluster({ holding: { drain: 'the Broker is not ready' } }));
    const deploying = deploy(site, options(someObjects, { timeoutSeconds: 20 }));
    await expect(deploying).rejects.toThrow(
      '1 object is not ready:\n  Trigger phaseout/drain: NotYet: the Broker is not ready',
    );
    expect(told.filter(({ event }) => event === 'waiting').at(-1)).toEqual({
      event: 'waiting',
      object: 'Trigger phaseout/drain',
      why: 'NotYet: the Broker is not ready',
    });
  });

  it('is not waited for when it has failed for good', async () => {
    const table = ours('batch/v1', 'Job', 'phaseout-table', { spec: { template: { spec: {} } } });
    const { site } = siteAt(await aCluster({ holding: { 'phaseout-table': 'no credentials' } }));
    const deploying = deploy(site, options([...someObjects, table], { timeoutSeconds: undefined }));
    await expect(deploying).rejects.toThrow(
      '  Job phaseout/phaseout-table: BackoffLimitExceeded: no credentials',
    );
  });

  it('is not waited for by who has seen enough', async () => {
    const interruption = new AbortController();
    const cluster = await aCluster({ holding: { drain: 'never' } });
    const { site } = siteAt(cluster, interruption.signal);
    const stop = site.clock.after(3_000, () => interruption.abort());
    expect(await deploy(site, options(someObjects, { timeoutSeconds: undefined }))).toBe('interrupted');
    stop();
  });
});

it('says what an earlier version has left and may not be removed', async () => {
  const cluster = await aCluster();
  await deploy(siteAt(cluster).site, options([...someObjects, trigger('old')]));
  const { site, changes } = siteAt(cluster);
  site.kubernetes.deleteWithDependents = async () => ({ kind: 'refused', code: 403, message: 'may not' });
  await expect(deploy(site, options())).rejects.toThrow('Trigger phaseout/old: may not');
  expect(changes()).not.toContain('removed Trigger phaseout/old');
});

describe('options that an earlier installation had', () => {
  const source = ours('sources.knative.dev/v1', 'ApiServerSource', 'machines');
  const inFleet = { ...source, metadata: { ...source.metadata, namespace: 'fleet' } };
  const store = ours('apps/v1', 'Deployment', 'phaseout-dynamodb', { spec: { replicas: 0 } });

  async function installed() {
    const cluster = await aCluster();
    cluster.cluster.create('namespaces', { metadata: { name: 'fleet' } });
    const objects = [...someObjects.filter(({ kind }) => kind !== 'ApiServerSource'), inFleet, store];
    await deploy(siteAt(cluster).site, options(objects));
    return siteAt(cluster);
  }

  it('are not dropped by saying nothing', async () => {
    const { site, changes } = await installed();
    await expect(deploy(site, options())).rejects.toThrow(
      /^it was installed for the Machines of some namespaces only: --namespaces fleet leaves it so, .*\nit was installed with a store of its own: --dynamodb-local leaves it so/,
    );
    expect(changes()).toEqual([]);
  });

  it('are dropped where that is said', async () => {
    const { site, changes } = await installed();
    const unsaid = { ...options().unsaid, namespaces: false, dynamodbLocal: false };
    await deploy(site, options(someObjects, { unsaid }));
    expect(changes().filter((change) => change.startsWith('removed'))).toEqual([
      'removed ApiServerSource fleet/machines',
      'removed Deployment phaseout/phaseout-dynamodb',
    ]);
  });
});

const configured = (data: object) =>
  someObjects.map((one) => (one.kind === 'ConfigMap' ? configMap(data) : one));

describe('Machines that were left to others', () => {
  const all = { PHASEOUT_MACHINE_APIS: 'capi,openshift' };
  const capi = { PHASEOUT_MACHINE_APIS: 'capi' };
  const filtered = { ...capi, PHASEOUT_WATCH_FILTER: 'blue' };
  const placed = { ...capi, PHASEOUT_NAMESPACES: 'phaseout' };

  it.each<[string, object, object, RegExp]>([
    [
      'of another API',
      capi,
      all,
      /of capi only: --machine-apis capi leaves it so, --machine-apis capi,openshift/,
    ],
    ['by the watch filter', filtered, capi, /--set PHASEOUT_WATCH_FILTER=blue leaves it so/],
    ['in other namespaces', placed, capi, /--namespaces phaseout leaves it so, --all-namespaces/],
  ])('%s are not taken by saying nothing', async (_what, before, after, why) => {
    const cluster = await aCluster();
    await deploy(siteAt(cluster).site, options(configured(before)));
    const { site, changes } = siteAt(cluster);
    await expect(deploy(site, options(configured(after)))).rejects.toThrow(why);
    expect(changes()).toEqual([]);
    const unsaid = { namespaces: false, machineApis: false, watchFilter: false, dynamodbLocal: false };
    expect(await deploy(siteAt(cluster).site, options(configured(after), { unsaid }))).toBe('done');
  });

  it.each<[string, object, object]>([
    ['are fewer', all, capi],
    ['are chosen by another watch filter', filtered, { ...filtered, PHASEOUT_WATCH_FILTER: 'green' }],
    ['are the same', placed, placed],
  ])('nothing has to be said where the Machines %s', async (_what, before, after) => {
    const cluster = await aCluster();
    await deploy(siteAt(cluster).site, options(configured(before)));
    expect(await deploy(siteAt(cluster).site, options(configured(after)))).toBe('done');
  });
});
