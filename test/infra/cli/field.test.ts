import { type Case, describeCases } from './field-case.ts';

// Small worlds after reports of people who drain Nodes and delete Machines. Each checks the plan and the end of the
// run.

const notOwn = "Node ip-10-0-0-4.ec2.internal is another server's and is left alone";

const custom = 'fleet-default/custom-old';
const heldBeside =
  'The Machine is held: its own controller would drain Node ip-10-0-0-4.ec2.internal by its name and delete it';
const bySameId = 'Machine fleet-default/custom-new has this providerID and this UID';
const unknown = "whether Node n1 is the Machine's own is unknown";
const bothIds = [
  'it has providerID metal3://11111111-0000-4000-8000-000000000001',
  'the Machine has metal3://22222222-0000-4000-8000-000000000002',
];

const webhook =
  'this webhook is not played, and the answer may differ: drain-cleaner.example.com of ValidatingWebhookConfiguration drain-cleaner';
const owners = 'owners of Pods were not given: ReplicaSet shop/web-5d. PodDisruptionBudget shop/web';

const cases: Case[] = [
  {
    folder: '04-same-node-name',
    machine: 'fleet-default/custom-old',
    says: [`drain           skips   ${notOwn}`, `node            skips   ${notOwn}`],
    ends: 'gone',
    tells: [notOwn],
    tellsNever: ['evicted='],
  },
  {
    folder: '04c-same-node-excluded',
    machine: 'fleet-default/custom-old',
    says: [`volume-detach   skips   ${notOwn}`, `node            skips   ${notOwn}`],
    ends: 'gone',
    tells: [notOwn],
    tellsNever: ['evicted='],
  },
  ...['04-same-node-name', '04c-same-node-excluded'].map(
    (folder): Case => ({
      folder,
      machine: custom,
      mode: 'beside',
      says: [notOwn, 'Machine fleet-default/custom-new has this providerID', heldBeside],
      never: ['is taken off'],
      ends: 'held',
      tells: [notOwn, heldBeside, 'take it off: no Node has its providerID'],
      tellsNever: ['evicted=', 'hand-over after', 'phase=infrastructure'],
    }),
  ),
  {
    folder: '04-same-node-name',
    machine: custom,
    mode: 'observe',
    says: [
      "Node ip-10-0-0-4.ec2.internal is another server's",
      "The API's own controller goes by the name: it drains Node ip-10-0-0-4.ec2.internal and deletes it",
    ],
    ends: 'not looked at',
    tells: [
      "The API's own controller goes by the name: it drains Node ip-10-0-0-4.ec2.internal and deletes it",
    ],
  },
  {
    folder: '51-name-made-ids',
    machine: custom,
    says: ["drain           skips   Node ip-10-0-0-4 is another server's and is left alone", bySameId],
    ends: 'gone',
    tells: [bySameId],
    tellsNever: ['evicted='],
  },
  {
    folder: '51-name-made-ids',
    machine: custom,
    mode: 'beside',
    says: [bySameId, 'The Machine is held'],
    ends: 'held',
    tells: [bySameId, 'Safe: correct status.nodeRef; delete its Cluster or control plane'],
    tellsNever: ['evicted=', 'take it off'],
  },
  {
    folder: '52-id-changed-by-move',
    says: [unknown, ...bothIds, 'no other Machine claims it'],
    ends: 'held',
    tells: [unknown, ...bothIds],
    tellsNever: ['evicted=', 'phase=infrastructure'],
  },
  {
    folder: '52-id-changed-by-move',
    mode: 'beside',
    says: [unknown, ...bothIds],
    ends: 'held',
    tells: [unknown, ...bothIds, 'The Machine is held'],
    tellsNever: ['evicted=', 'phase=infrastructure'],
  },
  ...(['replace', 'beside'] as const).map(
    (mode): Case => ({
      folder: '52b-id-differs-uid-equal',
      ...(mode === 'beside' && { mode }),
      says: ['1 Pod has to go, in 1 batch'],
      never: ['is unknown', "another server's"],
      ends: 'gone',
      tells: ['evicted=shop/web-1'],
    }),
  ),
  {
    folder: '13c-duplicate-provider-id',
    mode: 'beside',
    says: ['n1, n1-old', "which one is the Machine's own is unknown"],
    ends: 'held',
    tells: ['n1, n1-old', 'Safe: leave one Node with its providerID'],
    tellsNever: ['evicted=', 'phase=infrastructure'],
  },
  {
    folder: '13c-duplicate-provider-id',
    says: ['n1, n1-old', "which one is the Machine's own is unknown"],
    ends: 'held',
    tells: ['n1, n1-old', 'prod/md-1: drain: several Nodes'],
    tellsNever: ['phase=infrastructure'],
  },
  {
    folder: '24-management-dump-without-nodes',
    says: [
      'its Node was not given (wl-node-1)',
      'kubectl get secret blue-kubeconfig -n prod',
      '--load-workload prod/blue=blue.yaml',
      'drain           unknown  its Node was not given',
    ],
    never: ['the Node does not exist', 'no Pod has to go'],
    ends: 'gone',
    tells: ['its Node was not given (wl-node-1)', '--load-workload prod/blue=blue.yaml'],
  },
  {
    folder: '15-eviction-webhook',
    says: [webhook],
    ends: 'gone',
    tells: [webhook],
  },
  {
    folder: '35-daemonset',
    says: ['obs/agent-abcde  Drain', 'obs/agent-abcde: evicting orphaned DaemonSet-managed Pod'],
    ends: 'gone',
    tells: ['evicted=obs/agent-abcde'],
  },
  {
    folder: '39-recommended-dump-without-owners',
    says: [owners],
    ends: 'gone',
    tells: [owners],
  },
  ...['07-drain-timeout', '36-v1beta1-timeouts'].map(
    (folder): Case => ({
      folder,
      says: ['drain          is given up 8 s after it begins; then no Pod is evicted any more'],
      ends: 'gone',
      tells: ['phase=volume-detach after=drain as=timed-out'],
    }),
  ),
  {
    folder: '01-unreachable-pdb',
    says: ['Node n1 is unreachable, since 2026-11-26T00:00:00Z', 'volumes are not waited for'],
    ends: 'held',
    tells: ['Node n1 is unreachable (since 2026-11-26T00:00:00Z)'],
  },
  {
    folder: '16-instance-manager',
    says: ['BudgetHeldByOperator', 'InstanceManager instance-manager-aaa of longhorn.io'],
    never: ['delete the Pod yourself'],
    ends: 'held',
    tells: ['cause=BudgetHeldByOperator', 'InstanceManager instance-manager-aaa of longhorn.io'],
  },
  {
    folder: '11-tolerates-all',
    says: ['Pods that tolerate the cordon: they will come back', 'toleration {operator: Exists}'],
    ends: 'held',
    tells: ['came back'],
    tellsNever: ['After above Pods'],
  },
  {
    folder: '14-namespace-terminating',
    says: ['NamespaceTerminating', 'review-42  NamespaceTerminating since 2026-11-26T09:00:00Z'],
    ends: 'held',
    tells: ['for="Pod review-42/app-2: deletionTimestamp set, but still not removed from the Node"'],
  },
  {
    folder: '32-stale-attachment',
    says: ['VolumeAttachment  csi-stale', 'rpc error: code = Internal desc = volume not found'],
    ends: 'held',
    tells: ['csi-stale', 'rpc error: code = Internal desc = volume not found'],
  },
];

describeCases(cases);
