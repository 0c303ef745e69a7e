import type { PlannedLimit } from './deletion-plan.ts';

/** What happens when a step is given up. */
export const afterwardsOf: Readonly<Record<PlannedLimit['phase'], string>> = {
  drain: 'no Pod is evicted any more, and Pods that are still on the Node go with the server',
  'volume-detach': 'the server is deleted while volumes are attached to it',
  node: 'the Node object is left behind, and the Machine goes',
};
