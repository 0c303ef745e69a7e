import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anOutside, phaseout } from './outside.ts';

// What the readers tell of worlds that were made after reports of users, and what none of them may tell.

interface Case {
  folder: string;
  /** Parts of what the plan and the explanation say. */
  plan?: readonly string[];
  explanation: readonly string[];
  /** What neither may say. */
  never?: readonly string[];
}

const cases: Case[] = [
  {
    folder: '90-node-found-by-id',
    explanation: ['must complete before the Node goes'],
    never: ['nothing that was read explains it'],
  },
  {
    folder: '13b-providerid-no-noderef',
    plan: ['jobs/sleeper-running'],
    explanation: ['Pod jobs/sleeper-running must complete before the Node goes'],
    never: ['sleeper-done must', 'sleeper-done, '],
  },
  {
    folder: '81-inline-attachment-deleting',
    explanation: [
      'VolumeAttachment csi-inline is attached to Node n1 and names no PersistentVolume',
      'owner: CSI driver ebs.csi.aws.com',
      'get volumeattachments.storage.k8s.io csi-inline',
    ],
    never: ['nothing that was read explains it'],
  },
  {
    folder: '92-completed-pods-only',
    explanation: ['Pod shop/running must complete before the Node goes'],
    never: ['shop/done, ', 'describe pods done'],
  },
  {
    folder: '39b-without-status',
    plan: ['Unknown by PodDisruptionBudget shop/web'],
    explanation: ['whether PodDisruptionBudget shop/web lets shop/web-1, shop/web-2 go is unknown'],
    never: ['needs 0', 'has 0', 'refuses shop/web', 'still being processed'],
  },
  {
    folder: '94-attachments-without-volumes',
    plan: ['of PersistentVolume pvc-1111, which was not given'],
    explanation: ['its PersistentVolume pvc-1111 was not given', 'may not end by itself'],
    never: ['does not exist'],
  },
  {
    folder: '97-infrastructure-cannot-be-deleted',
    explanation: [
      'InstanceDeletionFailed: UnauthorizedOperation',
      'its finalizers: awsmachine.infrastructure.cluster.x-k8s.io',
    ],
    never: ['local.phaseout.dev', 'finalizers replaced'],
  },
  {
    folder: '89-deleted-for-move',
    plan: ['clusterctl move takes it to another management cluster, where its server lives on'],
    explanation: ['clusterctl move takes it to another management cluster'],
    never: ['patch clusters', '"paused":false', 'unpause'],
  },
  {
    folder: '86-pod-terminating-for-hours',
    explanation: [
      'its finalizers: example.com/keep',
      'it waits for finalizer example.com/keep: the controller of each has to take it off',
    ],
    never: ['--force'],
  },
  {
    folder: 's07-sync-failed-with-counts',
    plan: ['Until its sync is mended'],
    explanation: ['does not end by itself: until its sync is mended'],
    never: [
      'Change the budget',
      'delete the Pod',
      'edit poddisruptionbudgets',
      'usually it moves what runs here',
    ],
  },
  {
    folder: 's15-operator-budgets-without-owners',
    plan: [
      'rook-ceph/rook-ceph-osd-1-abc  BudgetHeldByOperator',
      'acid/pg-0  BudgetHeldByOperator',
      'app/single  BudgetNeverAllows',
    ],
    explanation: ['the budget is kept by Rook (label rook_cluster)'],
    never: ['acid/pg-0  BudgetNeverAllows'],
  },
  {
    folder: '104-unreachable-budget-observe',
    plan: ['Node n1 is unreachable'],
    explanation: ['PodDisruptionBudget shop/api refuses shop/api-1, shop/api-2', 'Node n1 is unreachable'],
  },
];

describe.each(cases)('the case $folder', ({ folder, plan = [], explanation, never = [] }) => {
  const load = ['prod/md-1', '--load', join(import.meta.dirname, 'field', folder)];

  it.each([
    ['plan', plan],
    ['explain', explanation],
  ])('is told by %s as it is', async (command, says) => {
    const { stdout } = await phaseout(command, ...load);
    for (const part of says) expect(stdout).toContain(part);
    for (const part of never) expect(stdout).not.toContain(part);
    // Where kubectl does it, no other tool is needed.
    expect(stdout).not.toContain('clusterctl get');
  });
});

async function example(): Promise<string> {
  const { folder } = await anOutside();
  const text = await readFile(join(import.meta.dirname, '../../../infra/local/examples/capi.yaml'), 'utf8');
  const file = join(folder, 'capi.yaml');
  await writeFile(file, text.replace('maxUnavailable: 1', 'maxUnavailable: 0'));
  return file;
}

describe('a budget that will refuse in a later batch', () => {
  it('is named by the plan from the beginning', async () => {
    const { code, stdout } = await phaseout('plan', 'fleet/worker-3', '--load', await example());
    expect(code).toBe(0);
    expect(stdout).toContain('Evictions of later batches that will be refused');
    expect(stdout).toContain('PodDisruptionBudget shop/web will refuse in batch 2: BudgetNeverAllows');
  });

  it('and is what would hold the Machine', async () => {
    const { stdout } = await phaseout('explain', 'fleet/worker-3', '--load', await example());
    expect(stdout).toContain('PodDisruptionBudget shop/web will refuse in batch 2 to evict shop/web-');
  });

  it('is not said where it has room', async () => {
    const { stdout } = await phaseout('plan', 'fleet/worker-3', '--example', 'capi');
    expect(stdout).not.toContain('later batches');
  });
});

const run = (folder: string, mode: string) => {
  const load = ['--load', join(import.meta.dirname, 'field', folder)];
  return phaseout('run', ...load, '--mode', mode, '--delete', 'prod/md-1', '--timeout', '20');
};

describe('with --mode observe or beside', () => {
  it('that a Node is unreachable is said beside the budget that refuses', async () => {
    const { stdout, stderr } = await run('104-unreachable-budget-observe', 'observe');
    const said = stdout + stderr;
    expect(said).toContain('Node n1 is unreachable (since 2026-11-28T05:00:00Z)');
    expect(said).toContain('budget shop/api: Cannot evict pod');
  });

  it('two Nodes that have the providerID of a Machine are two, and not none', async () => {
    const { stdout, stderr } = await run('13c-duplicate-provider-id', 'beside');
    expect(stdout + stderr).toContain('several Nodes have providerID metal3://uuid-1: n1, n1-old');
    expect(stdout + stderr).not.toContain('none is known by its providerID');
  });
});
