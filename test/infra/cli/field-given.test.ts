import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeCases } from './field-case.ts';
import { phaseout } from './outside.ts';

// How things are given, and what the local platform plays of them.

describeCases([
  {
    folder: '105-empty-annotations',
    says: ['1 Pod has to go, in 1 batch'],
    ends: 'gone',
    tells: ['evicted=shop/x'],
  },
  {
    folder: '72-times-with-offsets',
    says: [
      'its timeout of 36000s is over',
      'its 36000 s were over at 2026-11-28T15:00:05Z',
      'shop/web-1  Skip      -      deletionTimestamp on an unreachable Node',
    ],
    ends: 'gone',
    tells: ['phase=volume-detach after=drain as=timed-out'],
  },
  {
    folder: '74a-json-lists-appended',
    says: ['1 Pod has to go, in 1 batch'],
    ends: 'gone',
    tells: ['evicted=shop/web-1'],
  },
  {
    folder: '57-job-tracking-finalizer',
    says: ['1 Pod has to go, in 1 batch'],
    ends: 'gone',
    tells: ['evicted=shop/batch-x1'],
  },
  {
    folder: 's05-pinned-by-node-name',
    says: [
      'Pods that are made on this very Node: they will come back as long as the template names it',
      'shop/pin-1  nodeName in the template of ReplicaSet shop/pin',
      'each that comes back is evicted again every 20 s',
    ],
    never: ['tolerate the cordon'],
    ends: 'held',
    tells: ['came back to the cordoned Node after an eviction'],
  },
  {
    folder: 's13b-rules-elsewhere',
    says: [
      'these MachineDrainRules are without effect, because no Machine given is in their namespaces: capi-system/elsewhere',
      'shop/web-1  Drain     0      default',
    ],
    ends: 'gone',
    tells: ['these MachineDrainRules are without effect', 'evicted=shop/web-1'],
  },
]);

describe('a dump that has only what makes Machines', () => {
  const load = ['--load', join(import.meta.dirname, 'field', 's12b-only-makers')];
  const names = 'Cluster prod/green (by its topology), MachinePool prod/mp';

  it.each([
    ['plan', ['plan', 'prod/md-1'], 1],
    ['explain', ['explain', 'prod/md-1'], 1],
    ['status', ['status'], 0],
    ['run', ['run', '--timeout', '5'], 2],
  ] as const)('is named by %s', async (_what, args, expected) => {
    const { code, stdout, stderr } = await phaseout(...args, ...load);
    expect(code).toBe(expected);
    expect(stdout + stderr).toContain(`no Machine was given, only what makes Machines: ${names}`);
    expect(stdout + stderr).toContain('kubectl get machines,clusters,machinedrainrules -A -o yaml');
  });
});
