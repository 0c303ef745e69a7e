import { describe, expect, it } from 'vitest';
import { pinnedPods } from '../../../shared/assess/pinned.ts';
import type { PodVerdict } from '../../../shared/drain/verdict.ts';
import type { Key, Resource, Side } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts';

const node: Node = { metadata: { name: 'n1' } };

function ownedPod(name: string, apiVersion: string, kind: string, owner = 'web'): Pod {
  const ownerReferences = [{ apiVersion, kind, name: owner, uid: `uid-${owner}`, controller: true }];
  return { metadata: { name, namespace: 'shop', uid: `uid-${name}`, ownerReferences } };
}

const verdict = (pod: Pod, behavior: PodVerdict['behavior'] = 'Drain'): PodVerdict => ({
  pod,
  behavior,
  order: 0,
  decidedBy: 'default',
  warnings: [],
});

const withTemplate = (spec: object): KubeObject => ({
  metadata: { name: 'web' },
  spec: { template: { spec } },
});

/** Answers every read with the object, and notes what was asked. */
function answering(answer: KubeObject | Unavailable | undefined) {
  const asked: string[] = [];
  const get = async (side: Side, { plural }: Resource, { namespace, name }: Key) => {
    asked.push(`${side} ${plural} ${namespace}/${name}`);
    if (answer instanceof Unavailable) throw answer;
    return answer;
  };
  return { asked, get };
}

const pinning = withTemplate({ nodeName: 'n1' });

describe('Pods that are made on the very Node', () => {
  it.each([
    ['ReplicaSet', 'apps/v1', 'replicasets'],
    ['StatefulSet', 'apps/v1', 'statefulsets'],
    ['Job', 'batch/v1', 'jobs'],
  ])('are those whose %s names it', async (kind, apiVersion, plural) => {
    const { get, asked } = answering(pinning);
    const found = await pinnedPods({ get }, node, [verdict(ownedPod('web-1', apiVersion, kind))]);
    expect([...found]).toEqual([['uid-web-1', `${kind} shop/web`]]);
    expect(asked).toEqual([`workload ${plural} shop/web`]);
  });

  it.each([
    ['names another Node', withTemplate({ nodeName: 'n2' })],
    ['names none', withTemplate({})],
    ['has no template', { metadata: { name: 'web' } }],
    ['does not exist', undefined],
  ])('are none where what makes them %s', async (_what, answer) => {
    const { get } = answering(answer);
    expect(await pinnedPods({ get }, node, [verdict(ownedPod('web-1', 'apps/v1', 'ReplicaSet'))])).toEqual(
      new Map(),
    );
  });

  it.each([
    ['stays', verdict(ownedPod('web-1', 'apps/v1', 'ReplicaSet'), 'Skip')],
    ['has nothing that makes it again', verdict({ metadata: { name: 'bare', namespace: 'shop', uid: 'u' } })],
    [
      'is of a kind without a known template',
      verdict(ownedPod('web-1', 'apps.example.com/v1', 'ReplicaSet')),
    ],
    ['has ended', verdict({ ...ownedPod('web-1', 'batch/v1', 'Job'), status: { phase: 'Succeeded' } })],
  ])('are not asked for where the Pod %s', async (_what, one) => {
    const { get, asked } = answering(pinning);
    expect(await pinnedPods({ get }, node, [one])).toEqual(new Map());
    expect(asked).toEqual([]);
  });

  it('are unknown where what makes them cannot be read, which is asked once for each kind', async () => {
    const { get, asked } = answering(new Unavailable('forbidden'));
    const verdicts = [
      verdict(ownedPod('a', 'apps/v1', 'ReplicaSet', 'a')),
      verdict(ownedPod('b', 'apps/v1', 'ReplicaSet', 'b')),
      verdict(ownedPod('c', 'batch/v1', 'Job', 'c')),
    ];
    expect(await pinnedPods({ get }, node, verdicts)).toEqual(new Map());
    expect(asked).toEqual(['workload replicasets shop/a', 'workload jobs shop/c']);
  });
});
