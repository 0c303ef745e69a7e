import type { Outside } from '../terminal/outside.ts';
import { outsideOfProcess } from '../terminal/process.ts';
import type { Framework, GivenOptions, Plugin } from './framework.ts';
import { createProvider } from './provider.ts';

/**
 * The provider `knative` of the Serverless Framework. `osls package`, `deploy` and `remove` do the same as phaseout's
 * commands of these names, with the same options.
 */
function knativeProvider(framework: Framework, given: GivenOptions): Plugin {
  // One for all commands: each listens for signals.
  let outside: Outside | undefined;
  return createProvider(framework, given, () => (outside ??= outsideOfProcess()));
}

// The framework takes plugins by `require` and makes them with `new`.
export { knativeProvider as 'module.exports' };
