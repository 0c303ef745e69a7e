import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../../infra/local/given/clusters.ts';
import { givenNotes } from '../../../../infra/local/given/notes.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import { aMachine, anAwsMachine, aNode, aPod } from '../../cli/dump.ts';

const nothingIsMissing = [
  aThing('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'fleet'),
  aThing('v1', 'Pod', 'elsewhere'),
  aThing('policy/v1', 'PodDisruptionBudget', 'elsewhere'),
  aThing('storage.k8s.io/v1', 'VolumeAttachment'),
  aThing('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
  aThing('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'),
  aThing('v1', 'Namespace', undefined, 'shop'),
];

function aThing(apiVersion: string, kind: string, namespace?: string, name = 'x'): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

const webPod = (name: string, nodeName = 'a') => aPod(name, nodeName, { kind: 'ReplicaSet', name: 'web' });
const replicaSet = (parts: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'shop', ...parts },
});
const ofDeployment = {
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
};
const budget = (app: string, namespace = 'shop'): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guard', namespace },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app } } },
});

/** The notes on Machine fleet/a of a dump that has its Node, and nothing else missing. */
const notesOn = (...objects: KubeObject[]): string[] => notesOf([aMachine('a'), aNode('a'), ...objects]);

const notesOf = (objects: KubeObject[], workloads: Workload[] = []): string[] =>
  givenNotes({ management: [...objects, ...nothingIsMissing], workloads }, undefined);

const blue = (...objects: KubeObject[]): Workload => ({
  namespace: 'fleet',
  name: 'blue',
  manifests: [...objects, ...nothingIsMissing].map((object) => ({ from: 'blue.yaml', object })),
});

it('says nothing where nothing is missing', () => {
  expect(notesOn(webPod('web-1'))).toEqual([]);
});

const commandOfBlue =
  "to get the Nodes of Cluster fleet/blue: kubectl get secret blue-kubeconfig -n fleet -o jsonpath='{.data.value}' | " +
  'base64 -d > blue.kubeconfig && kubectl --kubeconfig blue.kubeconfig get nodes,pods,pdb,replicasets,deployments,' +
  'statefulsets,jobs,daemonsets,namespaces,pv,pvc,volumeattachments,validatingwebhookconfigurations,' +
  'mutatingwebhookconfigurations -A -o yaml > blue.yaml, then --load-workload fleet/blue=blue.yaml';

describe('a Node that was not given', () => {
  const missing =
    'Machine fleet/a: its Node was not given (a): nothing is known of its Pods and volumes, and a run goes on without';

  it('is not absent, and the command that gets it is given', () => {
    expect(notesOf([aMachine('a'), aNode('of-management')])).toEqual([missing, commandOfBlue]);
  });

  it('is no matter of others that were given of the management cluster', () => {
    const notes = notesOf([aMachine('a'), aNode('a')], [blue()]);
    expect(notes[0]).toBe(missing);
  });

  it('does not exist where others of its own cluster were given', () => {
    expect(notesOf([aMachine('a')], [blue(aNode('b'))])).toEqual([]);
  });

  it('may be one that the Machine does not name', () => {
    const { status: _, ...machine } = aMachine('a');
    const without = { ...machine, spec: { ...machine.spec, providerID: 'aws:///i-1' } };
    const nameless =
      'Machine fleet/a: its Node was not given: nothing is known of its Pods and volumes, and a run goes on without';
    expect(notesOf([without])[0]).toBe(nameless);
    expect(notesOf([without, { ...aNode('b'), spec: { providerID: 'aws:///i-1' } }])).toEqual([]);
    const infrastructure = { ...anAwsMachine('a'), spec: { providerID: 'aws:///i-1' } };
    expect(notesOf([machine, infrastructure])[0]).toBe(nameless);
    expect(notesOf([machine])).toEqual([]);
  });

  it('is of no matter where the Cluster goes as a whole', () => {
    const cluster = {
      ...aThing('cluster.x-k8s.io/v1beta2', 'Cluster', 'fleet', 'blue'),
      metadata: { name: 'blue', namespace: 'fleet', deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(notesOf([aMachine('a'), cluster])).toEqual([]);
  });

  it('is missing from a dump of OpenShift that has no Nodes at all', () => {
    const machine: KubeObject = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'a', namespace: 'openshift-machine-api' },
      status: { nodeRef: { name: 'a' } },
    };
    const [first, second] = notesOf([machine]);
    expect(first).toContain('Machine openshift-machine-api/a: its Node was not given (a)');
    expect(second).toMatch(
      /^to get it: oc get machines\.machine\.openshift\.io,nodes,.*then --load dump\.yaml$/,
    );
    expect(notesOf([machine, aNode('b')])).toEqual([]);
  });

  it('puts no name into a command that a shell would take for more', () => {
    const { spec, ...machine } = aMachine('a');
    const notes = notesOf([{ ...machine, spec: { ...spec, clusterName: '$(reboot)' } }]);
    expect(notes[1]).toContain('kubectl get secret CLUSTER-kubeconfig -n NAMESPACE');
    expect(notes[1]?.split(': kubectl')[1]).not.toContain('reboot');
  });
});

describe('owners of Pods that were not given', () => {
  const said = (owners: string, pods: number) => [
    `owners of Pods were not given: ${owners}. So nothing here says how many Pods PodDisruptionBudget shop/guard should ` +
      `count: a run counts the ${pods} that were given, and takes each that has gone for replaced`,
  ];

  it.each<[string, KubeObject[], string[]]>([
    ['are named with the budget over their Pods', [], said('ReplicaSet shop/web', 2)],
    ['are none where they were given', [replicaSet()], []],
    [
      'may be those of a ReplicaSet that was given',
      [replicaSet(ofDeployment)],
      said('Deployment shop/web', 2),
    ],
  ])('%s', (_, objects, notes) => {
    expect(notesOn(budget('web'), webPod('web-1'), webPod('web-2', 'b'), ...objects)).toEqual(notes);
  });

  it.each<[string, KubeObject[]]>([
    ['no budget is over their Pods', [budget('other'), webPod('web-1')]],
    ['the budget is of another namespace', [budget('web', 'other'), webPod('web-1')]],
    ['none of the Pods is on the Node', [budget('web'), webPod('web-1', 'b')]],
    [
      'they are made up, as DaemonSets are',
      [budget('web'), aPod('web-1', 'a', { kind: 'DaemonSet', name: 'web' })],
    ],
  ])('change nothing where %s', (_, objects) => {
    expect(notesOn(...objects)).toEqual([]);
  });
});

describe('Namespaces that were not given', () => {
  const inOther = { ...webPod('web-1'), metadata: { name: 'web-1', namespace: 'other' } };
  const rule = (spec: object): KubeObject => ({
    ...aThing('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'fleet', 'first'),
    spec: { drain: { behavior: 'Skip' }, ...spec },
  });
  const taken = 'Namespaces were not given, so taken for ones without labels that nobody deletes: other';
  const selector = { matchLabels: { team: 'a' } };

  it('are named', () => {
    expect(notesOn(inOther)).toEqual([taken]);
  });

  it('are named with the rule that asks for their labels', () => {
    expect(notesOn(inOther, rule({ pods: [{ namespaceSelector: selector }] }))).toEqual([
      `${taken}, though labels decide whether MachineDrainRule first selects their Pods`,
    ]);
  });

  it.each([
    ['asks for labels of Pods only', { pods: [{ selector }] }],
    ['is for other Machines', { machines: [{ selector }], pods: [{ namespaceSelector: selector }] }],
  ])('are named without a rule that %s', (_, spec) => {
    expect(notesOn(inOther, rule(spec))).toEqual([taken]);
  });

  it('change nothing where no Pod on the Node is in them', () => {
    expect(notesOn({ ...inOther, spec: { nodeName: 'b' } })).toEqual([]);
  });

  it('are not all named where there are very many', () => {
    const pods = Array.from({ length: 12 }, (_, index) => ({
      ...inOther,
      metadata: { name: 'web', namespace: `n${String(index).padStart(2, '0')}` },
    }));
    expect(notesOn(...pods)[0]).toMatch(/: n00, n01, n02, n03, n04, n05, n06, n07, n08, n09 and 2 more$/);
  });
});

describe('PersistentVolumes that were not given', () => {
  const attachment = (nodeName: string): KubeObject => ({
    ...aThing('storage.k8s.io/v1', 'VolumeAttachment', undefined, 'csi-1'),
    spec: { nodeName, attacher: 'ebs', source: { persistentVolumeName: 'pv-1' } },
  });
  const waited =
    'PersistentVolumes were not given, so volumes of Pods that stay are waited for like all others on Node a: ';
  const reporting = (name: string): KubeObject => ({
    ...aNode('a'),
    status: { volumesAttached: [{ name, devicePath: '' }] },
  });

  it.each<[string, KubeObject[], string[]]>([
    ['are told of attachments', [aNode('a'), attachment('a')], [`${waited}pv-1`]],
    [
      'are told of what the Node reports',
      [reporting('kubernetes.io/csi/ebs^1')],
      [`${waited}kubernetes.io/csi/ebs^1`],
    ],
    ['are none of volumes that never have one', [reporting('kubernetes.io/aws-ebs/vol-1')], []],
    ['are no matter of other Nodes', [aNode('a'), attachment('b')], []],
    [
      'do not exist where others were given',
      [aNode('a'), attachment('a'), aThing('v1', 'PersistentVolume', undefined, 'pv-2')],
      [],
    ],
  ])('%s', (_, objects, notes) => {
    expect(notesOf([aMachine('a'), ...objects])).toEqual(notes);
  });
});

describe('webhooks', () => {
  const configuration = (rule: object, kind = 'ValidatingWebhookConfiguration'): KubeObject => ({
    ...aThing('admissionregistration.k8s.io/v1', kind, undefined, 'cleaner'),
    webhooks: [{ name: 'cleaner.example.com', rules: [rule] }],
  });
  const said = (about: string, kind = 'ValidatingWebhookConfiguration') => [
    `this webhook is not played, and the answer may differ: cleaner.example.com of ${kind} cleaner, which is asked about ${about}`,
  ];
  const ofPods = (resources: string[], operations = ['CREATE'], rest: object = {}) => ({
    apiGroups: [''],
    apiVersions: ['v1'],
    operations,
    resources,
    ...rest,
  });

  it.each<[string, object, string]>([
    ['evictions', ofPods(['pods/eviction']), 'evictions'],
    ['all that is below Pods', ofPods(['pods/*'], ['*']), 'evictions'],
    ['all subresources', ofPods(['*/*'], ['CREATE']), 'evictions'],
    ['all groups', ofPods(['pods/eviction'], ['*'], { apiGroups: ['*'] }), 'evictions'],
    ['all that has a namespace', ofPods(['pods/eviction'], ['*'], { scope: 'Namespaced' }), 'evictions'],
    ['what becomes of Nodes', ofPods(['nodes'], ['*']), 'changes of Nodes, deletions of Nodes'],
    ['all kinds', ofPods(['*'], ['DELETE']), 'deletions of Nodes'],
    [
      'what becomes of Machines',
      ofPods(['machines'], ['UPDATE', 'DELETE'], { apiGroups: ['cluster.x-k8s.io'] }),
      'changes of Machines, deletions of Machines',
    ],
    [
      'the end of servers',
      ofPods(['awsmachines'], ['DELETE'], { apiGroups: ['infrastructure.cluster.x-k8s.io'] }),
      'deletions of AWSMachines',
    ],
  ])('that are asked about %s are named', (_, rule, about) => {
    expect(notesOn(configuration(rule))).toEqual(said(about));
  });

  it('are named of both kinds', () => {
    const kind = 'MutatingWebhookConfiguration';
    expect(notesOn(configuration(ofPods(['pods/eviction']), kind))).toEqual(said('evictions', kind));
  });

  it.each<[string, object]>([
    ['Pods themselves', ofPods(['pods', '*'])],
    ['other things that are done', ofPods(['pods/eviction'], ['UPDATE'])],
    ['other groups', ofPods(['pods/eviction'], ['*'], { apiGroups: ['policy'] })],
    ['what has no namespace', ofPods(['pods/eviction'], ['*'], { scope: 'Cluster' })],
    ['another subresource', ofPods(['*/status'], ['*'])],
  ])('that are asked about %s are not', (_, rule) => {
    expect(notesOn(configuration(rule))).toEqual([]);
  });

  it('of the management cluster are not asked about evictions of another one', () => {
    const workload = blue(aNode('a'));
    expect(notesOf([aMachine('a'), configuration(ofPods(['pods/eviction']))], [workload])).toEqual([]);
  });
});

describe('what makes Machines elsewhere', () => {
  const cluster = (spec: object): KubeObject => ({
    ...aThing('cluster.x-k8s.io/v1beta2', 'Cluster', 'fleet', 'blue'),
    spec,
  });
  const pools = (...names: string[]) => [
    `MachinePools are not played, and the answer may differ: no Machine or Node is made or replaced by ${names.join(', ')}`,
  ];
  const pool = (clusterName: string): KubeObject => ({
    ...aThing('cluster.x-k8s.io/v1beta2', 'MachinePool', 'fleet', 'spot'),
    spec: { clusterName },
  });

  it('is a topology of the Cluster', () => {
    expect(notesOn(cluster({ topology: { version: 'v1.33.0' } }))).toEqual([
      'Cluster fleet/blue has a topology, which is not played, and the answer may differ: its control plane and its sets of Machines stay as they were given',
    ]);
    expect(notesOn(cluster({}))).toEqual([]);
  });

  it('is a MachinePool of the Cluster', () => {
    expect(notesOn(pool('blue'))).toEqual(pools('fleet/spot'));
    expect(notesOn(pool('green'))).toEqual([]);
  });

  it.each([
    ['names', { labels: { 'cluster.x-k8s.io/pool-name': 'spot' } }],
    [
      'is owned by',
      {
        ownerReferences: [
          { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachinePool', name: 'spot', uid: 'p' },
        ],
      },
    ],
  ])('is a MachinePool that the Machine %s, given or not', (_, metadata) => {
    expect(notesOf([aMachine('a', { metadata }), aNode('a')])).toEqual(pools('fleet/spot'));
  });
});

describe('kinds of which there are none in a dump', () => {
  const none = 'none in the dump: there are none, or they were not asked for: ';
  const notesOfNothing = (objects: KubeObject[], workloads: Workload[] = []) =>
    givenNotes({ management: objects, workloads }, undefined).filter((note) => note.startsWith(none));

  it('are named in the one note', () => {
    expect(notesOfNothing([aMachine('a'), aNode('a')])).toEqual([
      `${none}MachineDrainRule, Pod, PodDisruptionBudget, VolumeAttachment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration`,
    ]);
  });

  it('are those of the other cluster, where that was given', () => {
    const budgets = aThing('policy/v1', 'PodDisruptionBudget', 'shop');
    const manifests = [aNode('a'), aPod('web-1', 'a', { kind: 'Job', name: 'x' })].map((object) => ({
      from: '',
      object,
    }));
    const workload = { namespace: 'fleet', name: 'blue', manifests };
    expect(notesOfNothing([aMachine('a'), budgets], [workload])).toEqual([
      `${none}MachineDrainRule, PodDisruptionBudget, VolumeAttachment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration`,
    ]);
  });

  it('are only those beside the Machines where not even its Node was given', () => {
    expect(notesOfNothing([aMachine('a')])).toEqual([`${none}MachineDrainRule`]);
  });
});

describe('the Machines that notes are about', () => {
  const deletionTimestamp = '2026-01-02T00:00:00Z';
  const machines = [aMachine('a'), aMachine('b', { metadata: { deletionTimestamp } }), aMachine('c')];
  const about = (names?: { namespace: string; name: string }[]) =>
    givenNotes({ management: machines, workloads: [] }, names).flatMap(
      (note) => /^Machine fleet\/(\w)/.exec(note)?.[1] ?? [],
    );

  it('are those that are named', () => {
    expect(about([{ namespace: 'fleet', name: 'c' }])).toEqual(['c']);
  });

  it('are those that are being deleted where none is named', () => {
    expect(about()).toEqual(['b']);
  });
});
