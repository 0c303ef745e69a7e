import type { Command } from './command.ts';
import { completionCommand, shells } from './completion/command.ts';
import { deployCommand, deployOptions } from './deploy/command.ts';
import { explain, explainOptions } from './explain/explain.ts';
import { completionHelp, explainHelp, planHelp, runHelp, statusHelp } from './help.ts';
import { history } from './history/history.ts';
import { historyOptions } from './history/options.ts';
import { hooks, hooksOptions } from './hooks/hooks.ts';
import { deployHelp, packageHelp, releaseHelp, removeHelp } from './install-help.ts';
import { lookOptions } from './look/options.ts';
import { historyHelp, hooksHelp, pageHelp } from './look-help.ts';
import { optionsOfRun } from './options.ts';
import { packageManifests, packageOptions } from './package/package.ts';
import { page, pageOptions } from './page/page.ts';
import { plan } from './plan/plan.ts';
import { releaseCommand, releaseOptions } from './release/command.ts';
import { removeCommand, removeOptions } from './remove/command.ts';
import { run } from './run/run.ts';
import { status, statusOptions } from './status/status.ts';

/** All commands by their names, in the order in which they are told. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['run', { start: run, help: runHelp, options: optionsOfRun }],
  ['plan', { start: plan, help: planHelp, options: lookOptions }],
  ['status', { start: status, help: statusHelp, options: statusOptions }],
  ['explain', { start: explain, help: explainHelp, options: explainOptions }],
  ['hooks', { start: hooks, help: hooksHelp, options: hooksOptions }],
  ['history', { start: history, help: historyHelp, options: historyOptions }],
  ['page', { start: page, help: pageHelp, options: pageOptions }],
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
