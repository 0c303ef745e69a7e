import { budget, controlPlane, paused, timeouts, together } from './drain.ts';
import { openshiftControlPlane, openshiftWorker, refusedHook } from './openshift.ts';
import type { Story } from './story.ts';
import { killed, permission, refusedRule } from './trouble.ts';
import { types } from './types.ts';
import { v1alpha1Worker } from './v1alpha1.ts';
import { lateHook, worker } from './worker.ts';

/** Those that disturb others last. */
export const stories: readonly Story[] = [
  worker,
  lateHook,
  budget,
  paused,
  timeouts,
  controlPlane,
  together,
  openshiftWorker,
  openshiftControlPlane,
  refusedHook,
  v1alpha1Worker,
  refusedRule,
  types,
  killed,
  permission,
];
