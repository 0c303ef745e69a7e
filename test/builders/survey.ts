import { newestVersions } from '../../infra/knative/options.ts';
import type { Survey } from '../cluster/survey.ts';

/** A cluster on which nothing stands in the way. */
export const aSurvey = (more: Partial<Survey> = {}): Survey => ({
  version: 'v1.36.2',
  user: 'somebody',
  served: [],
  machineApis: newestVersions,
  capi: 'v1beta2',
  hasReasons: true,
  foreignMachines: [],
  ownControllers: [],
  peer: undefined,
  installations: [],
  hasPolicies: true,
  hasMutatingPolicies: true,
  hasDrainRules: true,
  otherRuns: [],
  ...more,
});
