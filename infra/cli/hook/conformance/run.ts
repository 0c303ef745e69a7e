import { hasFailed, type Outcome, outcomeOf, type Result } from '../../../conformance/outcome.ts';
import type { Bench, Check } from './check.ts';
import { answers, first } from './checks/answers.ts';
import { sentLater } from './checks/sent-later.ts';
import { work } from './checks/work.ts';

interface RunOptions {
  bench: Omit<Bench, 'answers' | 'notCalls' | 'turn' | 'wasProven'>;
  /** Answers may come to the Broker's address. */
  hasBroker: boolean;
  /** Told as each check is over. */
  onResult: (result: Result) => void;
}

/** Runs every check against a function. */
export async function runConformance({ bench: given, hasBroker, onResult }: RunOptions): Promise<Result[]> {
  const turn = given.turns.begin();
  const wasProven = (await given.proof?.(turn)) ?? false;
  const bench: Bench = { ...given, answers: [], notCalls: [], turn, wasProven };
  const results: Result[] = [];
  const runAll = async (section: string, checks: readonly Check[]): Promise<void> => {
    for (const check of checks) {
      if (bench.interrupted.aborted) return;
      const outcome = await outcomeOf(() => check.run(bench));
      const result = { section, name: check.name, outcome: unlessInterrupted(outcome, bench) };
      results.push(result);
      onResult(result);
    }
  };
  await runAll('Answers', [first]);
  if (results.some(hasFailed)) return results;
  await runAll('Answers', answers);
  await runAll('The work', work);
  if (hasBroker) await runAll('Sent later', sentLater);
  return results;
}

/** A call that was broken off says nothing of the function. */
const unlessInterrupted = (outcome: Outcome, { interrupted }: Pick<Bench, 'interrupted'>): Outcome =>
  interrupted.aborted ? { kind: 'skipped', why: 'interrupted' } : outcome;
