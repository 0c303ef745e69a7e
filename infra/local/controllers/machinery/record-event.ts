import { createHash } from 'node:crypto';
import { ApiError, type KubeObject } from '../../kubernetes/objects/cluster.ts';
import { toTime, uidOf } from './objects.ts';
import { World } from './world.ts';

export interface EventFields {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  component: string;
}

/** Writes a Kubernetes Event about an object, once for each text. */
export function recordEvent(world: World, about: KubeObject, fields: EventFields): void {
  const { type, reason, message, component } = fields;
  const { apiVersion, kind, metadata } = about;
  const { name, namespace = 'default' } = metadata;
  const hash = createHash('sha256')
    .update([uidOf(about), reason, message].join('|'))
    .digest('hex');
  const time = toTime(world.clock.now());
  try {
    world.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${hash.slice(0, 16)}`, namespace },
      involvedObject: { apiVersion, kind, namespace, name, uid: uidOf(about) },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component },
      reportingComponent: component,
    });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 409)) throw error;
  }
}
