import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aThing, notesOn, webPod } from './dump.ts';

const rule = (spec: object): KubeObject => ({
  ...aThing('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'fleet', 'first'),
  spec: { drain: { behavior: 'Skip' }, ...spec },
});

describe('Namespaces that were not given', () => {
  const inOther = { ...webPod('web-1'), metadata: { name: 'web-1', namespace: 'other' } };
  const taken = 'Namespaces were not given: other. They count as active and without labels';
  const selector = { matchLabels: { team: 'a' } };

  it('are named', () => {
    expect(notesOn(inOther)).toEqual([taken]);
  });

  it('are named with the rule that asks for their labels', () => {
    expect(notesOn(inOther, rule({ pods: [{ namespaceSelector: selector }] }))).toEqual([
      `${taken}, but their labels decide for MachineDrainRule first`,
    ]);
  });

  it.each([
    ['asks for labels of Pods only', { pods: [{ selector }] }],
    ['is for other Machines', { machines: [{ selector }], pods: [{ namespaceSelector: selector }] }],
  ])('are named without a rule that %s', (_, spec) => {
    expect(notesOn(inOther, rule(spec))).toEqual([taken]);
  });

  it('change nothing where no Pod on the Node is in them', () => {
    expect(notesOn({ ...inOther, spec: { nodeName: 'b' } })).toEqual([]);
  });

  it('are not all named where there are very many', () => {
    const pods = Array.from({ length: 12 }, (_, index) => ({
      ...inOther,
      metadata: { name: 'web', namespace: `n${String(index).padStart(2, '0')}` },
    }));
    expect(notesOn(...pods)[0]).toMatch(/: n00, n01, n02, n03, n04, n05, n06, n07, n08, n09 and 2 more\. /);
  });
});
