import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';

/** Every Machine API whose Machines are taken out of service. */
export const dialects: readonly Dialect[] = [clusterApi, openShift, originalApi];
