import type { Command } from './command.ts';
import { completionCommand, shells } from './completion/command.ts';
import { deployCommand, deployOptions } from './deploy/command.ts';
import { completionHelp, planHelp, runHelp } from './help.ts';
import { deployHelp, packageHelp, releaseHelp, removeHelp } from './install-help.ts';
import { optionsOfPlan, optionsOfRun } from './options.ts';
import { packageManifests, packageOptions } from './package/package.ts';
import { plan } from './plan/plan.ts';
import { releaseCommand } from './release/command.ts';
import { releaseOptions } from './release/options.ts';
import { removeCommand, removeOptions } from './remove/command.ts';
import { run } from './run/run.ts';

/** All commands by their names, in the order in which they are told. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['run', { start: run, help: runHelp, options: optionsOfRun }],
  ['plan', { start: plan, help: planHelp, options: optionsOfPlan }],
  ['package', { start: packageManifests, help: packageHelp, options: packageOptions }],
  ['deploy', { start: deployCommand, help: deployHelp, options: deployOptions }],
  ['release', { start: releaseCommand, help: releaseHelp, options: releaseOptions }],
  ['remove', { start: removeCommand, help: removeHelp, options: removeOptions }],
  [
    'completion',
    {
      start: (args, outside) => completionCommand(args, outside, commands),
      help: completionHelp,
      options: {},
      words: shells,
    },
  ],
]);
