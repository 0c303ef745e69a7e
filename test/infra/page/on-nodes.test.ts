import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { onNodes } from '../../../infra/page/cluster/on-nodes.ts';
import type { May, Wanted } from '../../../infra/page/cluster/rights.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const here = { kind: 'here' } as const;
const there = { kind: 'cluster', namespace: 'fleet', clusterName: 'blue' } as const;

/** As a ClusterRole that is bound everywhere. */
function by(rules: readonly Rule[]): May {
  return async ({ verb, group, resource }) =>
    rules.some(
      (rule) =>
        rule.apiGroups.includes(group) && rule.resources.includes(resource) && rule.verbs.includes(verb),
    );
}

const inShop: May = async ({ namespace }) => namespace === undefined || namespace === 'shop';

describe('what is on a Node', () => {
  test('is all shown to who has the role for who looks', async () => {
    const file = new URL('../../../infra/viewer/viewer-workload.yaml', import.meta.url);
    const { rules }: { rules: Rule[] } = parse(await readFile(file, 'utf8'));
    expect(await onNodes(here, by(rules)).all()).toBe(true);
    expect(await onNodes(here, by(rules)).all(['shop'])).toBe(true);
  });

  test.each(['pods', 'poddisruptionbudgets', 'nodes', 'persistentvolumes', 'volumeattachments'])(
    'is not all shown to who may not read %s',
    async (kind) => {
      const may: May = async ({ resource }) => resource !== kind;
      expect(await onNodes(here, may).all(['shop'])).toBe(false);
    },
  );

  test('is judged namespace by namespace', async () => {
    const rights = onNodes(here, inShop);
    expect([await rights.inNamespace('shop'), await rights.inNamespace('bank')]).toEqual([true, false]);
    expect([await rights.all(['shop']), await rights.all(['shop', 'bank'])]).toEqual([true, false]);
  });

  test('in a cluster of its own is shown to who may read the way there', async () => {
    const asked: Wanted[] = [];
    const may: May = async (wanted) => asked.push(wanted) > 0;
    expect(await onNodes(there, may).all()).toBe(true);
    expect(asked).toEqual([
      { verb: 'get', group: '', resource: 'secrets', namespace: 'fleet', name: 'blue-kubeconfig' },
    ]);
  });

  test('is not shown where it is unknown which cluster that is', async () => {
    expect(await onNodes(undefined, async () => true).all()).toBe(false);
  });
});
