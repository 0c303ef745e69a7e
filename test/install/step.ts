import type { Stage } from './stage.ts';

/** What users do first, one after the other: each step finds the cluster as the one before has left it. */
export interface Step {
  /** What it goes by on the command line, and in the names of its objects: short. */
  name: string;
  text: string;
  /** The others need it: `--only` does not leave it out. */
  isAlways?: boolean;
  /** Why it cannot be played on this cluster; undefined where it can. */
  notHere?: (stage: Stage) => string | undefined;
  play(stage: Stage): Promise<void>;
}

/** Only where the own controller of Cluster API runs. */
export const needsPeer = ({ mode }: Stage): string | undefined =>
  mode === 'beside' ? undefined : "Cluster API's own controller does not run here";

export const needsKubectl = ({ hasKubectl }: Stage): string | undefined =>
  hasKubectl ? undefined : 'kubectl is missing';

export const needsOwnStore = ({ storeArguments }: Stage): string | undefined =>
  storeArguments[0] === '--dynamodb-local' ? undefined : 'the store is not DynamoDB Local in the cluster';
