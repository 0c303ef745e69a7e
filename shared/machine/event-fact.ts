/** A Kubernetes Event to be written once per fact. The reasons are Cluster API's. */
export interface EventFact {
  type: 'Normal' | 'Warning';
  reason:
    | 'FailedDrainNode'
    | 'SuccessfulDrainNode'
    | 'FailedWaitForVolumeDetach'
    | 'NodeVolumesDetached'
    | 'FailedDeleteNode'
    | 'CheckpointUnusable';
  message: string;
}
