import type { Resource } from '../../../../shared/kubernetes/client.ts';
import { isRecord, type KubeObject, type Node, type Pod } from '../../../../shared/kubernetes/objects.ts';

type Hold = (object: KubeObject) => KubeObject | undefined;

/** What is kept of each object of a large cluster: the fields that phaseout reads. Others are kept whole. */
export const holdOf = ({ group, plural }: Resource): Hold => holds[`${plural}.${group}`] ?? whole;

const whole: Hold = (object) => object;

const envelope = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => {
  const { managedFields: _managedFields, ...kept } = metadata;
  return { ...(apiVersion && { apiVersion }), ...(kind && { kind }), metadata: kept };
};

/** One that is on no Node holds none. */
function podOnNode(pod: Pod): Pod | undefined {
  const { nodeName, tolerations, volumes } = pod.spec ?? {};
  if (nodeName === undefined) return undefined;
  const { phase, conditions } = pod.status ?? {};
  return {
    ...envelope(pod),
    spec: { nodeName, ...(tolerations && { tolerations }), ...(volumes && { volumes }) },
    status: { ...(phase && { phase }), ...(conditions && { conditions }) },
  };
}

function nodeAlone(node: Node): Node {
  const { conditions, volumesAttached } = node.status ?? {};
  return {
    ...envelope(node),
    ...(node.spec && { spec: node.spec }),
    status: { ...(conditions && { conditions }), ...(volumesAttached && { volumesAttached }) },
  };
}

/** Of its template only the Node that it names. */
function maker(object: KubeObject): KubeObject {
  const { spec } = object;
  const template = isRecord(spec) && isRecord(spec['template']) ? spec['template'] : {};
  const ofPods = isRecord(template['spec']) ? template['spec'] : {};
  const { nodeName } = ofPods;
  return {
    ...envelope(object),
    ...(nodeName !== undefined && { spec: { template: { spec: { nodeName } } } }),
  };
}

const holds: Readonly<Record<string, Hold>> = {
  'pods.': podOnNode,
  'nodes.': nodeAlone,
  'replicasets.apps': maker,
  'deployments.apps': maker,
  'statefulsets.apps': maker,
  'daemonsets.apps': envelope,
  'jobs.batch': maker,
};
