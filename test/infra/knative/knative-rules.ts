import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { at } from './at.ts';
import {
  ofApiServerSource,
  ofDelivery,
  ofEventType,
  ofPingSource,
  ofSinkBinding,
  ofTrigger,
} from './eventing-rules.ts';
import { ofService } from './service-rules.ts';

/** What the webhooks of a Knative with its defaults refuse. Only the rules that our objects could break. */
export function refusals(object: KubeObject): string[] {
  const judge = judges[`${object.apiVersion}/${object.kind}`];
  return (judge?.(object) ?? []).map((why) => `${object.kind} ${object.metadata.name}: ${why}`);
}

const judges: Readonly<Record<string, (object: KubeObject) => string[]>> = {
  'serving.knative.dev/v1/Service': ofService,
  'eventing.knative.dev/v1/Broker': (broker) => ofDelivery(at(broker, 'spec', 'delivery')),
  'eventing.knative.dev/v1/Trigger': ofTrigger,
  'eventing.knative.dev/v1beta3/EventType': ofEventType,
  'sources.knative.dev/v1/ApiServerSource': ofApiServerSource,
  'sources.knative.dev/v1/PingSource': ofPingSource,
  'sources.knative.dev/v1/SinkBinding': ofSinkBinding,
};
