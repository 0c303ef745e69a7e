import { bootstrap } from '../../functions/bootstrap.ts';
import { drain } from '../../functions/drain.ts';
import { finalize } from '../../functions/finalize.ts';
import { handOver } from '../../functions/hand-over.ts';
import { infrastructure } from '../../functions/infrastructure.ts';
import { node } from '../../functions/node.ts';
import { preDrain } from '../../functions/pre-drain.ts';
import { preTerminate } from '../../functions/pre-terminate.ts';
import { volumeDetach } from '../../functions/volume-detach.ts';
import type { Phases } from '../../shared/assess/assessment.ts';

/** Every phase function, by the name under which serverless.yml and events know it. */
export const phaseFunctions: Phases = {
  'pre-drain': preDrain,
  drain,
  'volume-detach': volumeDetach,
  'hand-over': handOver,
  'pre-terminate': preTerminate,
  infrastructure,
  bootstrap,
  node,
  finalize,
};
