import * as z from 'zod';
import { parseGoDuration, wholeSeconds } from '../../time/duration.ts';
import { metadataSchema as metadata } from '../parse-machine.ts';
import { reference } from './object-ref.ts';

export const group = 'cluster.x-k8s.io';

/** Only v1beta1 has a UID there. */
const nodeRef = z.object({ name: z.string().optional(), uid: z.string().optional() });
const status = z.object({ nodeRef: nodeRef.optional() }).default({});

const shared = {
  clusterName: z.string().min(1),
  providerID: z.string().optional(),
  infrastructureRef: reference,
  bootstrap: z.object({ configRef: reference.optional() }).default({}),
};

interface Timeouts {
  drainTimeoutSeconds?: number;
  volumeDetachTimeoutSeconds?: number;
  nodeDeletionTimeoutSeconds?: number;
}

type Seconds = number | undefined;

/** Absent stays absent: no limit is not the same as a limit of nothing. */
const timeouts = (drain: Seconds, volumeDetach: Seconds, nodeDeletion: Seconds): Timeouts => ({
  ...(drain === undefined ? {} : { drainTimeoutSeconds: drain }),
  ...(volumeDetach === undefined ? {} : { volumeDetachTimeoutSeconds: volumeDetach }),
  ...(nodeDeletion === undefined ? {} : { nodeDeletionTimeoutSeconds: nodeDeletion }),
});

const seconds = z.int().optional();

const deletion = z
  .object({
    nodeDrainTimeoutSeconds: seconds,
    nodeVolumeDetachTimeoutSeconds: seconds,
    nodeDeletionTimeoutSeconds: seconds,
  })
  .default({});

const v1Beta2Spec = z.object({ ...shared, deletion }).transform((spec) => ({
  ...spec,
  timeouts: timeouts(
    spec.deletion.nodeDrainTimeoutSeconds,
    spec.deletion.nodeVolumeDetachTimeoutSeconds,
    spec.deletion.nodeDeletionTimeoutSeconds,
  ),
}));

const duration = z
  .string()
  .transform((text, context) => {
    const nanoseconds = parseGoDuration(text);
    if (nanoseconds !== undefined) return wholeSeconds(nanoseconds);
    context.addIssue(`${JSON.stringify(text)} is not a duration`);
    return z.NEVER;
  })
  .optional();

const v1Beta1Spec = z
  .object({
    ...shared,
    nodeDrainTimeout: duration,
    nodeVolumeDetachTimeout: duration,
    nodeDeletionTimeout: duration,
  })
  .transform((spec) => ({
    ...spec,
    timeouts: timeouts(spec.nodeDrainTimeout, spec.nodeVolumeDetachTimeout, spec.nodeDeletionTimeout),
  }));

const v1Beta2 = z.object({ metadata, spec: v1Beta2Spec, status });
const v1Beta1 = z.object({ metadata, spec: v1Beta1Spec, status });

/** What is read of a Machine, by the apiVersion it was sent in; both give the same shape. */
export const schemas = new Map<string, typeof v1Beta2 | typeof v1Beta1>([
  [`${group}/v1beta2`, v1Beta2],
  [`${group}/v1beta1`, v1Beta1],
]);
