import { noClient } from '../../kubernetes/errors.ts';
import type { Machine } from '../../machine/machine.ts';
import { type MachineEvent, normal, warning } from '../../machine/report.ts';
import type { Moment } from '../moment.ts';

/** The Events of Cluster API's Machine controller, to the letter. Of a Machine that it may not write only its log tells. */
export function events({ nodeName }: Machine, moment: Moment): MachineEvent[] {
  const node = `Machine's node "${nodeName ?? ''}"`;
  if (moment.what === 'drained') return [normal('SuccessfulDrainNode', `success draining ${node}`)];
  if (moment.what === 'drain-failed')
    return [warning('FailedDrainNode', `error draining ${node}: ${moment.why}`)];
  if (moment.what === 'volumes-detached')
    return [normal('NodeVolumesDetached', `success waiting for node volumes detaching ${node}`)];
  if (moment.what === 'volumes-failed') {
    const message = `error waiting for node volumes detaching, ${node}: ${moment.why}`;
    return [warning('FailedWaitForVolumeDetach', message)];
  }
  if (moment.what === 'node-failed') {
    const why = nodeFailure(nodeName, moment.why);
    return [warning('FailedDeleteNode', `error deleting Machine's Node: ${why}`)];
  }
  if (moment.what === 'unwritten') return [warning('FailedDelete', `error deleting Machine: ${moment.why}`)];
  return [];
}

function nodeFailure(nodeName: string | undefined, why: string): string {
  if (why.startsWith(noClient))
    return `failed deleting Node because connection to the workload cluster is down: ${why}`;
  const before = `error deleting node ${nodeName ?? 'of unknown name'}: `;
  return why.startsWith(before) ? why : `${before}${why}`;
}
