import { CouldNotLook } from '../kubernetes/errors.ts';

/** A Machine names a Cluster object that is not there: nothing can be judged of it, and so nothing is done. */
export class ClusterMissing extends CouldNotLook {
  constructor(message: string) {
    super(message);
    this.name = 'ClusterMissing';
  }
}
