import { join } from 'node:path';
import { deployOptions } from '../cli/deploy/command.ts';
import { main } from '../cli/main.ts';
import { packageOptions } from '../cli/package/package.ts';
import { removeOptions } from '../cli/remove/command.ts';
import type { Outside } from '../terminal/outside.ts';
import type { OptionsConfig } from '../terminal/parse-arguments.ts';
import type { Framework, GivenOptions, Plugin } from './framework.ts';
import { jsonSchemas } from './json-schemas.ts';
import { argumentsOf, frameworkOptions } from './options.ts';

const commands: Readonly<Record<string, OptionsConfig>> = {
  package: packageOptions,
  deploy: deployOptions,
  remove: removeOptions,
};

/** Our commands as those of the framework, for the file that it reads. It asks only the cluster. */
export function createProvider(framework: Framework, given: GivenOptions, outside: () => Outside): Plugin {
  framework.setProvider('knative', {});
  framework.configSchemaHandler.defineProvider('knative', jsonSchemas());
  const run = async (command: string, ...more: string[]): Promise<void> => {
    const file = join(framework.serviceDir, framework.configurationFilename);
    const args = [...argumentsOf(commands[command] ?? {}, given), `--file=${file}`, ...more];
    const code = await main([command, ...args], { ...outside(), folder: framework.serviceDir });
    if (code === 0) return;
    throw new framework.classes.Error(`phaseout ${command} ended with ${code}`, 'PHASEOUT_NOT_DONE');
  };
  const { package: out } = given;
  return {
    commands: Object.fromEntries(
      Object.entries(commands).map(([name, options]) => [name, { options: frameworkOptions(options, name) }]),
    ),
    hooks: {
      // What has an image is not put into an archive.
      initialize: () => {
        for (const each of Object.values(framework.service.functions)) each.image ??= 'phaseout';
      },
      'package:finalize': () => run('package', ...(typeof out === 'string' ? [`--out=${out}`] : [])),
      'deploy:deploy': () => run('deploy'),
      'remove:remove': () => run('remove'),
    },
  };
}
