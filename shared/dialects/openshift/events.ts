import type { Machine } from '../../machine/machine.ts';
import { type MachineEvent, normal, warning } from '../../machine/report.ts';
import type { Moment } from '../moment.ts';

const drainController = 'machine-drain-controller';

/**
 * The Events of OpenShift's two controllers, each in the name of the one that writes it. Each attempt to drain says
 * that it proceeds, also the one that finds the Node cordoned already.
 */
export function events(machine: Machine, moment: Moment): MachineEvent[] {
  switch (moment.what) {
    case 'drain-held':
      return [draining('DrainBlocked', 'Drain blocked by pre-drain hook')];
    case 'drain-begun':
      return [proceeds];
    case 'drain-pending':
    case 'drain-failed':
      return [proceeds, draining('DrainRequeued', `Node drain requeued: ${moment.why}`)];
    case 'drained':
      return [proceeds, ...emptied(machine, moment), draining('DrainSucceeded', 'Node drain succeeded')];
    case 'drain-skipped':
      return [draining('DrainSkipped', 'Node drain skipped')];
    default:
      return failures(machine, moment);
  }
}

function failures({ ref: { name } }: Machine, moment: Moment): MachineEvent[] {
  switch (moment.what) {
    case 'server-failed':
    case 'unwritten':
      return [warning('FailedDelete', `${name}: failed to delete machine: ${moment.why}`)];
    case 'server-stays':
      return [warning('DeletionLate', `${name}: ${moment.why}`)];
    case 'node-failed':
      return [warning('FailedDeleteNode', `${name}: error deleting node for machine: ${moment.why}`)];
    case 'invalid':
      return [warning('FailedValidate', `${name}: machine validation failed: ${moment.why}`)];
    default:
      return [];
  }
}

const draining: typeof normal = (reason, message) => ({
  ...normal(reason, message),
  component: drainController,
});

const proceeds = draining('DrainProceeds', 'Node drain proceeds');

/** Nothing was drained where the Node had gone before. */
const emptied = ({ nodeName }: Machine, { isNodeGone }: Moment & { what: 'drained' }): MachineEvent[] =>
  isNodeGone ? [] : [draining('Deleted', `Node "${nodeName}" drained`)];
