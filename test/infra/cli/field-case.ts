import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { anOutside, parsed, phaseout } from './outside.ts';

/** A small world, after a report of people who drain Nodes. It has its plan, and the end of its run. */
export interface Case {
  folder: string;
  machine?: string;
  /** In the place of its controller if absent. */
  mode?: 'beside' | 'observe';
  /** Parts of the plan's text. */
  says: readonly string[];
  /** Texts that it must not have. */
  never?: readonly string[];
  /** Until the time is over, where another's controller has the Machine: what it does is not ours. */
  ends: 'gone' | 'held' | 'not looked at';
  /** Parts of the run's text. */
  tells?: readonly string[];
  tellsNever?: readonly string[];
}

const codesOf = { gone: [0], held: [1], 'not looked at': [0, 1] } as const;

/** Plans and runs each. */
export const describeCases = (cases: readonly Case[]): void =>
  describe.each(cases)('the case $folder, $mode', (each) => {
    const { folder, machine = 'prod/md-1', mode, says, never = [], ends, tells = [], tellsNever = [] } = each;
    const inMode = mode === undefined ? [] : ['--mode', mode];
    const env = { PHASEOUT_LOG_LEVEL: 'error', ...(mode !== undefined && { PHASEOUT_MODE: `capi:${mode}` }) };
    const plan = async (...more: string[]) => {
      const { outside, written } = await anOutside({ env });
      const code = await main(['plan', machine, ...load, ...more], outside);
      return { code, ...written };
    };
    const load = ['--load', join(import.meta.dirname, 'field', folder)];

    it('is planned as it is', async () => {
      const { code, stdout, stderr } = await plan();
      expect(code).toBe(0);
      for (const part of says) expect(stdout + stderr).toContain(part);
      for (const part of never) expect(stdout + stderr).not.toContain(part);
      const json = await plan('-o', 'json');
      expect(`${parsed<DeletionPlan>(json.stdout).machine.namespace}/`).toBe(machine.replace(/[^/]*$/, ''));
    });

    it(`is run until it is ${ends}`, async () => {
      const { code, stdout, stderr } = await phaseout(
        'run',
        ...load,
        ...inMode,
        '--delete',
        machine,
        '--timeout',
        '30',
      );
      expect(codesOf[ends]).toContain(code);
      for (const part of tells) expect(stdout + stderr).toContain(part);
      for (const part of tellsNever) expect(stdout + stderr).not.toContain(part);
    });
  });
