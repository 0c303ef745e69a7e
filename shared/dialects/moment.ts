/** What may be worth a Kubernetes Event; each Machine API has its own words for it, or none. */
export type Moment =
  /** Pre-drain hooks hold the drain. */
  | { what: 'drain-held' }
  | { what: 'drain-begun' }
  /** Pods are left that are held up, and the drain will be looked at again. */
  | { what: 'drain-pending'; why: string }
  /** The drain could not be gone on with. */
  | { what: 'drain-failed'; why: string }
  | { what: 'drained'; isNodeGone: boolean }
  /** The API's own controller skips the drain that was done beside it, and writes nothing about it. */
  | { what: 'drain-not-repeated' }
  /** The Machine is excluded from the drain, or has no Node. */
  | { what: 'drain-skipped' }
  | { what: 'volumes-failed'; why: string }
  | { what: 'volumes-detached' }
  /** The provider could not remove the server. */
  | { what: 'server-failed'; why: string }
  /** Its end was asked for long ago, and nothing has failed since. */
  | { what: 'server-stays'; why: string }
  | { what: 'node-failed'; why: string }
  | { what: 'invalid'; why: string }
  | { what: 'refused'; why: string }
  /** Not even what every step has to know first could be seen. */
  | { what: 'blind'; why: string }
  /** The API server refuses the checkpoint, or that the finalizer goes. */
  | { what: 'unwritten'; why: string };
