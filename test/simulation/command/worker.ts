import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { withDeployments } from '../blocked-drains/play.ts';
import { covering, noCoverage } from '../coverage.ts';
import { chosenFaults } from '../faults/choose.ts';
import { simulate } from '../simulate.ts';
import { type Part, partSchema, type Report } from './part.ts';

const tellMilliseconds = 500;

/** Plays its share of the seeds, reports now and then how far it is, and at once what was violated. */
async function play({ seeds, deployments, ...wished }: Part, tell: (report: Report) => void): Promise<void> {
  const faults = chosenFaults(wished);
  let report = newReport();
  let told = performance.now();
  for (let seed = seeds.first; seed < seeds.end; seed += seeds.step) {
    const outcome = await simulate(seed, {
      faults,
      always: wished.only !== undefined,
      ...(deployments ? withDeployments(wished.beside) : { beside: wished.beside }),
      observers: [covering(report.coverage)],
    });
    report.seeds += 1;
    report.steps += outcome.steps;
    report.seconds += outcome.seconds;
    const [violated] = outcome.violations;
    if (violated !== undefined) report.violations.push({ seed, what: violated });
    if (violated === undefined && performance.now() - told < tellMilliseconds) continue;
    tell(report);
    report = newReport();
    told = performance.now();
  }
  tell(report);
}

const newReport = (): Report => ({
  seeds: 0,
  steps: 0,
  seconds: 0,
  violations: [],
  coverage: noCoverage(),
});

await play(z.parse(partSchema, workerData), (report) => parentPort?.postMessage(report, []));
