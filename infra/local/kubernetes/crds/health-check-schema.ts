import type { Schema } from '../schema/schema.ts';
import { labelSelector } from './label-selector-schema.ts';
import { openShiftConditions } from './openshift-machine-schema.ts';
import { objectReference } from './reference-schema.ts';
import { fields, filledText, integer, list, textLike } from './shape.ts';

const duration = '([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+';

const unhealthyCondition = fields({
  'type!': filledText(),
  'status!': filledText(),
  'timeout!': textLike(`^${duration}$`),
});

/** The fields of a MachineHealthCheck of `machine.openshift.io/v1beta1`. */
export const healthCheck: Schema = fields({
  spec: fields({
    maxUnhealthy: {
      'x-kubernetes-int-or-string': true,
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
      default: '100%',
    },
    nodeStartupTimeout: { ...textLike(`^0|${duration}$`), default: '10m' },
    remediationTemplate: objectReference,
    'selector!': labelSelector,
    'unhealthyConditions!': list(unhealthyCondition, { minItems: 1 }),
  }),
  status: fields({
    conditions: openShiftConditions,
    currentHealthy: integer(0),
    expectedMachines: integer(0),
    remediationsAllowed: { ...integer(0), format: 'int32' },
  }),
});
