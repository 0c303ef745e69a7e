import { join } from 'node:path';
import * as z from 'zod';
import { deployOptions } from '../cli/deploy/command.ts';
import { main } from '../cli/main.ts';
import { packageOptions } from '../cli/package/package.ts';
import { removeOptions } from '../cli/remove/command.ts';
import { placeholderImage, providerSchema } from '../serverless/provider-schema.ts';
import { eventSchemas, functionFields } from '../serverless/schema.ts';
import type { OptionsConfig } from '../terminal/option.ts';
import type { Outside } from '../terminal/outside.ts';
import type { CommandOption, Framework, GivenOptions, Plugin, ProviderSchemas } from './framework.ts';

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
        for (const each of Object.values(framework.service.functions)) each.image ??= placeholderImage;
      },
      'package:finalize': () => run('package', ...(typeof out === 'string' ? [`--out=${out}`] : [])),
      'deploy:deploy': () => run('deploy'),
      'remove:remove': () => run('remove'),
    },
  };
}

/** Options of our command line as those of the framework's command of the same name. */
const frameworkOptions = (options: OptionsConfig, command: string): Record<string, CommandOption> =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !decidedByFramework.has(name))
      .map(([name, { type, multiple }]) => [
        name,
        { usage: `as in phaseout ${command} --help`, type: multiple === true ? 'multiple' : type },
      ]),
  );

/** Which file it is, and where files go, is said by options that the framework has already. */
const decidedByFramework: ReadonlySet<string> = new Set(['file', 'out']);

/** What was given of these options, as arguments. */
export const argumentsOf = (options: OptionsConfig, given: GivenOptions): string[] =>
  Object.keys(options).flatMap((name) => argumentsFor(name, given[name]));

function argumentsFor(name: string, value: GivenOptions[string]): string[] {
  if (value === undefined || value === null) return [];
  if (value === false) return [`--no-${name}`];
  if (value === true) return [`--${name}`];
  return [value].flat().map((each) => `--${name}=${each}`);
}

/** The part of our schemas that JSON Schema can express. The framework checks the file with them. */
function jsonSchemas(): ProviderSchemas {
  const events = Object.entries(eventSchemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]);
  return {
    // The framework adds the name.
    provider: jsonSchemaOf(providerSchema.omit({ name: true })),
    function: jsonSchemaOf(z.object(functionFields)),
    functionEvents: Object.fromEntries(events),
  };
}

function jsonSchemaOf(schema: z.ZodType): object {
  // Fields that have a default need not be written. The checks that only code can do run when we read the file.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
