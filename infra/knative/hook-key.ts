import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Installation } from './installed.ts';

/** The Secret with the key of the tokens of DeletionHooks. */
export const hookKeyName = 'phaseout-hook-key';

const variable = 'PHASEOUT_HOOK_KEY';

/** The variable, where it names no Secret of the user's. */
export const hookKeyVariable = (namespace: string): Record<string, string> => ({
  [variable]: `${namespace}/${hookKeyName}`,
});

/** The Secret without its key, which no file has. None where the variable names one of the user's. */
export function hookKeySecret({ file: { namespace }, environment }: Installation): KubeObject[] {
  if (environment[variable] !== hookKeyVariable(namespace)[variable]) return [];
  return [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: hookKeyName, namespace }, type: 'Opaque' }];
}

/** What makes the Secret that the variable names; undefined where it names none. */
export function hookKeyCommand(environment: Installation['environment']): string | undefined {
  const [namespace, name] = environment[variable]?.split('/') ?? [];
  if (!namespace || !name) return undefined;
  return `kubectl create secret generic ${name} -n ${namespace} --from-literal=key="$(openssl rand -base64 32)"`;
}
