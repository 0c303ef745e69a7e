import type { MachinePlan } from '../../scenario/model.ts';

/** What somebody acts on: an object, or the Pods of a Node. */
export interface Read {
  host: string;
  resource: string;
  namespace?: string | undefined;
  name?: string;
  /** For lists that are limited by a field. */
  fieldSelector?: string;
}

/** Who acts, and for which Machine. */
export interface Actor {
  instance: string;
  machineUid: string;
  /** By now another Machine may have its name. A request of a step for the earlier one may arrive only then. */
  plan?: MachinePlan | undefined;
}
