#!/usr/bin/env node
import { readKubeconfig } from '../../infra/cli/look/kubeconfig.ts';
import { playAndReport, runProgram } from '../cluster/program.ts';
import { readOptions, usageOf } from './options.ts';
import { playAll } from './play.ts';
import { steps } from './steps/index.ts';

await runProgram('test:install', async (interrupted) => {
  const options = readOptions(process.argv.slice(2), steps);
  if (options.help) {
    process.stdout.write(usageOf(steps));
    return 0;
  }
  return playAndReport(options, interrupted, ({ kubeconfig, ...outside }) =>
    playAll(options, {
      ...outside,
      kubeconfig,
      kubeConfig: readKubeconfig({ kind: 'cluster', kubeconfig, context: options.context }),
    }),
  );
});
