import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';

/** DrainPolicies, by the file that installs them elsewhere. It is read where a cluster is made, not where this is loaded. */
export const drainPolicies = (): KubeObject =>
  kubeObject(parse(readFileSync(new URL('../../../crds/drainpolicies.yaml', import.meta.url), 'utf8')));
