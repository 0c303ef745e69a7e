import type { Node } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';

/** Either label makes a Node one of the control plane, whatever its value. */
export const controlPlaneLabels = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
] as const;

/** Whether the Node has a label of the control plane. */
export const isOfControlPlane = ({ metadata: { labels = {} } }: Node): boolean =>
  controlPlaneLabels.some((label) => label in labels);

/** OpenShift's words for a control plane Node that has to wait for another one. */
export const notPermitted = 'drain not permitted: requeue in: 20s';

/** The first by name of the others that are cordoned: it may be in a drain, or on its way out of the cluster. */
export const cordonedOther = (controlPlane: readonly Node[], uid: string): Node | undefined =>
  controlPlane
    .filter(({ metadata, spec }) => metadata.uid !== uid && spec?.unschedulable === true)
    .toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name))[0];
