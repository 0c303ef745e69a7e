import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { FleetPlan } from '../../../../shared/explain/fleet/fleet-plan.ts';
import { type FleetSize, writeFleetDump } from '../../../builders/fleet/fleet-dump.ts';
import { parsed, phaseout } from '../outside.ts';

/** As data, with what is said beside it. */
export interface Planned extends FleetPlan {
  notes: string[];
  unread: string[];
}

/** A dump of a fleet for all tests of a file. */
export function aFleet(size: FleetSize) {
  let folder = '';
  let loading: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'phaseout-fleet-'));
    loading = await writeFleetDump(folder, size);
  });
  afterAll(() => rm(folder, { recursive: true }));
  const plan = (line: string) => phaseout('plan', ...words(line), ...loading);
  return {
    plan,
    planned: async (line: string) => {
      const { code, stdout, stderr } = await plan(`${line} -o json`);
      return { code, plan: parsed<Planned>(stdout === '' ? JSON.stringify(stderr) : stdout) };
    },
    /** Without what one cluster has. */
    planWithout: (cluster: string, line: string) =>
      phaseout('plan', ...words(line), ...loading.filter((word) => !word.startsWith(`fleet/${cluster}=`))),
  };
}

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');
