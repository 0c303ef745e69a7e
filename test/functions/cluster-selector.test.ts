import { expect, test } from 'vitest';
import { observePods } from '../../shared/observe/pods.ts';
import type { Subject } from '../../shared/phase/definition.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { aCluster, someSurroundings } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aSubject } from '../builders/subject.ts';
import { aWorld } from '../builders/world.ts';

const site = { site: 'blue' };
const rule = {
  metadata: { namespace: 'default', name: 'stay' },
  spec: {
    drain: { behavior: 'Skip' },
    machines: [{ clusterSelector: { matchLabels: site } }],
  },
};

/** What becomes of a Pod under a rule for the Machines of Clusters of a site. */
async function behaviorFor(labelled: Subject): Promise<string | undefined> {
  const world = aWorld();
  world.management.put('machinedrainrules', rule);
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  const context = { nodeName: 'node-1', unreachable: false, now: 0 };
  const { judgement } = await observePods(openSnapshot(world.env, labelled), labelled, context);
  return judgement.kind === 'judged' ? judgement.verdicts[0]?.behavior : judgement.kind;
}

const subject = aSubject();
const ofSite = { ...subject, machine: { ...subject.machine, labels: site } };

test.each<[string, Subject, string]>([
  [
    'its Cluster',
    aSubject({ surroundings: someSurroundings({ cluster: aCluster({ metadata: { labels: site } }) }) }),
    'Skip',
  ],
  ['the Machine alone', ofSite, 'Drain'],
  [
    'the Machine, which is of no Cluster',
    { ...ofSite, surroundings: someSurroundings({ cluster: undefined }) },
    'Drain',
  ],
])(
  'a rule for Clusters of a site goes by the labels of the Cluster: where %s has them',
  async (_who, of, does) => {
    expect(await behaviorFor(of)).toBe(does);
  },
);
