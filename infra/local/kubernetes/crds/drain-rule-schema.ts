import type { Schema } from '../schema/schema.ts';
import { labelSelector as selector } from './label-selector-schema.ts';
import { fields, integer, oneOf, setOf } from './shape.ts';

const machines = { ...fields({ selector, clusterSelector: selector }), minProperties: 1 };
const pods = { ...fields({ selector, namespaceSelector: selector }), minProperties: 1 };
const some = { minItems: 1, maxItems: 32 };

/** The fields of a MachineDrainRule, the same at both versions. */
export const machineDrainRule: Schema = fields({
  'spec!': fields({
    'drain!': fields({
      'behavior!': oneOf('Drain', 'Skip', 'WaitCompleted'),
      order: { ...integer(), format: 'int32' },
    }),
    machines: setOf(machines, some),
    pods: setOf(pods, some),
  }),
});
