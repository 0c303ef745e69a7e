import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type Bench, type Outcome, Unmet } from './check.ts';
import { removeUntilGone } from './verbs.ts';

/** Removes whatever servers are left, whether checks failed or not. Undefined when there was none. */
export async function cleanUp(bench: Bench): Promise<Outcome | undefined> {
  const machines = bench.machines.remembered();
  if (machines.length === 0) return undefined;
  const left = await Promise.all(machines.map((machine) => whatIsLeft(bench, machine)));
  const answered = left.filter((each) => each !== undefined);
  if (answered.length === 0) return { kind: 'passed' };
  return { kind: 'failed', expected: 'no server to be left', answered: answered.join('; ') };
}

async function whatIsLeft(bench: Bench, machine: KubeObject): Promise<string | undefined> {
  try {
    await removeUntilGone(bench, machine);
    return undefined;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const { namespace = '', name, uid = '' } = machine.metadata;
    return `Machine ${namespace}/${name} (${uid}): ${error.answered}`;
  }
}
