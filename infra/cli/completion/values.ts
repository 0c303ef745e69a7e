import { modes } from '../../../shared/dialects/registry.ts';
import { apiGroups } from '../api-names.ts';

/** What the values of options are chosen from, by the options' names. */
export const choices: Readonly<Record<string, readonly string[]>> = {
  example: Object.keys(apiGroups),
  mode: modes,
  output: ['json'],
  'machine-apis': Object.keys(apiGroups),
};

/** The options whose values are files or folders. */
export const takesFile: ReadonlySet<string> = new Set([
  'load',
  'load-workload',
  'kubeconfig',
  'workload-kubeconfig',
  'file',
  'out',
]);
