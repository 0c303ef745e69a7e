import type { Machine } from '../../machine/machine.ts';
import { aggregate } from '../../text/truncate.ts';
import { recordAt } from '../fields.ts';

const clusterLabel = 'machine.openshift.io/cluster-api-cluster';

/**
 * What the API demands of every Machine and this one lacks, in the words of its own controller. Such a Machine is
 * not touched, not even to delete it.
 */
export function invalidity(machine: Machine): string | undefined {
  const errors = [...clusterLabelErrors(machine), ...providerSpecErrors(machine)];
  return errors.length === 0 ? undefined : aggregate(errors);
}

function clusterLabelErrors({ labels, raw }: Machine): string[] {
  if (labels[clusterLabel]) return [];
  const found = asJson(raw.metadata.labels);
  return [`spec.labels: Invalid value: ${found}: missing ${clusterLabel} label.`];
}

function providerSpecErrors({ raw }: Machine): string[] {
  const value = recordAt(raw, 'spec', 'providerSpec')['value'];
  if (value !== undefined && value !== null) return [];
  return ['spec.spec.providerspec: Invalid value: {}: value field must be set'];
}

/** Sorted by key, as the peer shows them. */
const asJson = (labels: Record<string, string> | undefined): string =>
  labels === undefined ? 'null' : JSON.stringify(labels, Object.keys(labels).toSorted());
