import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { parsed, phaseout } from './outside.ts';

// Small worlds made after reports of people who drain Nodes and delete Machines: what the plan says, and how the run ends.

interface Case {
  folder: string;
  machine?: string;
  /** Parts of what the plan says. */
  says: readonly string[];
  /** What it must not say. */
  never?: readonly string[];
  ends: 'gone' | 'held';
  /** Parts of what the run says. */
  tells?: readonly string[];
  tellsNever?: readonly string[];
}

const notOwn = "Node ip-10-0-0-4.ec2.internal is another server's and is left alone";

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
  {
    folder: '13c-duplicate-provider-id',
    says: ['n1, n1-old', "which one is the Machine's own is unknown"],
    ends: 'held',
    tells: ['n1, n1-old', 'prod/md-1: drain: several Nodes'],
    tellsNever: ['phase=infrastructure'],
  },
];

describe.each(cases)('the case $folder', (each) => {
  const { folder, machine = 'prod/md-1', says, never = [], ends, tells = [], tellsNever = [] } = each;
  const load = ['--load', join(import.meta.dirname, 'field', folder)];

  it('is planned as it is', async () => {
    const { code, stdout } = await phaseout('plan', machine, ...load);
    expect(code).toBe(0);
    for (const part of says) expect(stdout).toContain(part);
    for (const part of never) expect(stdout).not.toContain(part);
    const json = await phaseout('plan', machine, ...load, '-o', 'json');
    expect(`${parsed<DeletionPlan>(json.stdout).machine.namespace}/`).toBe(machine.replace(/[^/]*$/, ''));
  });

  it(`is run until it is ${ends}`, async () => {
    const { code, stdout, stderr } = await phaseout('run', ...load, '--delete', machine, '--timeout', '30');
    expect(code).toBe(ends === 'gone' ? 0 : 1);
    for (const part of tells) expect(stdout + stderr).toContain(part);
    for (const part of tellsNever) expect(stdout + stderr).not.toContain(part);
  });
});
