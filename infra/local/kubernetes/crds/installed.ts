import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';

const readDefinition = (file: string): KubeObject =>
  kubeObject(parse(readFileSync(new URL(`../../../crds/${file}`, import.meta.url), 'utf8')));

/**
 * Definitions by the files that install them elsewhere. They are read where a cluster is made, not where this is loaded.
 * MachineDrainRules are as Cluster API defines them.
 */
export const machineDrainRules = (): KubeObject => readDefinition('machinedrainrules.yaml');

/** DeletionHooks. */
export const deletionHooks = (): KubeObject => readDefinition('deletionhooks.yaml');

/** DrainPolicies. */
export const drainPolicies = (): KubeObject => readDefinition('drainpolicies.yaml');
