#!/usr/bin/env node
import { readKubeconfig } from '../../infra/cli/look/kubeconfig.ts';
import { conformance } from './conformance.ts';
import { readOptions, usage } from './options.ts';
import { playAndReport, runProgram } from './program.ts';

await runProgram('test:cluster', async (interrupted) => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  return playAndReport(options, interrupted, ({ kubeconfig, ...outside }) =>
    conformance(options, {
      ...outside,
      kubeConfig: readKubeconfig({ kind: 'cluster', kubeconfig, context: options.context }),
      env: process.env,
    }),
  );
});
