import { expect, it } from 'vitest';
import { ownCommand } from '../../../infra/terminal/own-command.ts';

const npm = (script: string, project = 'phaseout') => ({
  npm_package_name: project,
  npm_lifecycle_event: script,
});

it.each([
  ['the program', {}, undefined, 'phaseout'],
  ['a plugin of kubectl', {}, true, 'kubectl phaseout'],
  ['a script of this project', npm('phaseout'), undefined, 'npm run phaseout --'],
  ['npm start', npm('start'), undefined, 'npm run phaseout --'],
  ['a script of another project', npm('start', 'shop'), undefined, 'phaseout'],
  ['npx', npm('npx'), undefined, 'phaseout'],
] as const)('what the user types is told as it was typed: %s', (_what, env, isPlugin, typed) => {
  expect(ownCommand({ env, ...(isPlugin && { isPlugin }) })).toBe(typed);
});
