import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import { reportHooks } from '../../../shared/explain/hooks/report-hooks.ts';
import { standingOf } from '../../../shared/explain/status-of.ts';
import { after, aRawV1Beta1Machine, timeAfter } from '../../builders/cluster-api.ts';
import { parsed, phaseout } from './outside.ts';

// Cluster API 1.8 drains a Node, and a budget lets no Pod go. Its Machines have conditions of v1beta1 only.

const load = ['--load', join(import.meta.dirname, 'field', '93b-capi-1.8-draining')];

describe('a Machine that Cluster API 1.8 deletes', () => {
  it('is explained by its phase, and by what holds that', async () => {
    const { code, stdout } = await phaseout('explain', 'prod/md-1', ...load);
    expect(code).toBe(4);
    expect(stdout).toContain('✓ pre-drain  ● drain  ○ volume-detach');
    expect(stdout).toContain('DrainingNode: Draining the node before deletion');
    expect(stdout).toContain('PodDisruptionBudget shop/web refuses shop/web-1');
    expect(stdout).not.toContain('its phase is not shown');
    expect(stdout).not.toContain('nothing that was read explains it');
  });

  it('has its phase in status, since its controller began it', async () => {
    const { stdout } = await phaseout('status', ...load, '-o', 'json');
    const { machines } = parsed<{ machines: DeletionStatus[] }>(stdout);
    expect(machines).toMatchObject([
      { carriedBy: 'controller', phase: 'drain', since: '2026-11-28T05:00:00Z', looksWithinSeconds: 20 },
    ]);
  });
});

const theirHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
const condition = (type: string, status: string, seconds: number) => ({
  type,
  status,
  lastTransitionTime: timeAfter(seconds),
});
const held = aRawV1Beta1Machine({
  annotations: { [theirHook]: 'balancer' },
  status: { conditions: [condition('PreDrainDeleteHookSucceeded', 'False', 5)] },
});

describe('a hook that Cluster API 1.8 waits for', () => {
  it('is what status says, with its owner', () => {
    expect(standingOf(held, { now: after(60) })).toMatchObject({
      phase: 'pre-drain',
      since: timeAfter(5),
      waitsFor: {
        reason: 'WaitingForPreDrainHook',
        message: `Waiting for pre-drain hooks to succeed (hooks: ${theirHook})`,
      },
      acts: { who: 'hook-owner', name: 'balancer (move-traffic)' },
      state: 'held',
    });
  });

  it('holds in hooks since its controller began to wait', () => {
    const { rows } = reportHooks({ machines: [held], templates: [], events: [], now: after(60) });
    expect(rows.map(({ hook, holding }) => ({ hook, holding }))).toEqual([
      { hook: theirHook, holding: { kind: 'holds', since: timeAfter(5), isAtMost: false } },
    ]);
  });
});

describe('a time limit of Cluster API 1.8', () => {
  it('counts from the condition of its phase', () => {
    const draining = aRawV1Beta1Machine({
      spec: { nodeDrainTimeout: '100s' },
      status: { conditions: [condition('DrainingSucceeded', 'False', 20)] },
    });
    expect(standingOf(draining, { now: after(60) })?.givenUp).toMatchObject({
      afterSeconds: 100,
      at: timeAfter(120),
    });
  });
});
