import * as z from 'zod';
import { ConfigInvalid, readConfig } from '../../shared/runtime/config.ts';
import { configVariables } from '../../shared/runtime/config-variables.ts';

/** Set for each instance by Knative, or by what is rendered for it. */
const givenByOthers = new Set([
  'PORT',
  'K_SERVICE',
  'K_REVISION',
  'K_CONFIGURATION',
  'K_SINK',
  'K_CE_OVERRIDES',
  'PHASEOUT_FUNCTIONS',
]);

const known = new Set(Object.values(configVariables).map(({ name }) => name));

/**
 * Environment variables as text. The functions' own variables are read here as well, to report a wrong value before it
 * is deployed. Others, such as AWS_REGION, are for what the functions use.
 */
export const environmentSchema = z.record(z.string(), z.string()).superRefine((environment, context) => {
  for (const [name, value] of Object.entries(environment)) {
    const message = nameProblem(name) ?? valueProblem(name, value);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
  }
});

function nameProblem(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'must be the name of an environment variable';
  if (givenByOthers.has(name)) return 'is set by Knative or phaseout for each instance';
  if (name.startsWith('PHASEOUT_') && !known.has(name)) return 'is no variable that the functions read';
  return undefined;
}

function valueProblem(name: string, value: string): string | undefined {
  try {
    readConfig({ [name]: value });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.problems.join('; ');
  }
}
