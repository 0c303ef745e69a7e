export interface CloudSettings {
  /** From being asked for to running. Minutes of a real cloud, compressed; half as much again or less by chance. */
  createSeconds: number;
  /** From being told to stop to gone, likewise. */
  deleteSeconds: number;
  /** How long a call hangs that was asked to. */
  hangSeconds: number;
}

export const defaultCloudSettings: CloudSettings = { createSeconds: 2, deleteSeconds: 2, hangSeconds: 300 };

/** Annotations by which a Machine asks the cloud for a behaviour of its own. */
export const cloudAnnotations = {
  /** How long its server takes to stop, in seconds. */
  stopSeconds: 'local.phaseout.dev/stop-seconds',
  /** `"true"`: its server, once told to stop, stays. Taken away, the next delete stops it. */
  neverStops: 'local.phaseout.dev/never-stops',
  /**
   * Failures, separated by commas, each as `operation=failure` or `operation=failure:times`; without a number it fails
   * every time. The operations are exists, create, update and delete; those of one operation come one after the other.
   *
   * - a reason, as `delete=InvalidConfiguration:3`: fails with this machine error; `failed` is one without a reason
   * - `retry/N`, as `delete=retry/2:1`: asks to be called again after N seconds
   * - `hang`: does not answer
   * - `500`: breaks down
   */
  providerFails: 'local.phaseout.dev/provider-fails',
} as const;
