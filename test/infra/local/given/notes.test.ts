import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../../infra/local/given/clusters.ts';
import { givenNotes } from '../../../../infra/local/given/notes.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode, aPod } from '../../../builders/dump.ts';
import { aThing, notesOn, webPod } from './dump.ts';

it('says nothing where nothing is missing', () => {
  expect(notesOn(webPod('web-1'))).toEqual([]);
});

describe('kinds of which there are none in a dump', () => {
  const none = 'none in the dump: there are none, or they were not asked for: ';
  const notesOfNothing = (objects: KubeObject[], workloads: Workload[] = []) =>
    givenNotes({ management: objects, workloads }, undefined).filter((note) => note.startsWith(none));

  it('are named in the one note', () => {
    expect(notesOfNothing([aMachine('a'), aNode('a')])).toEqual([
      `${none}MachineDrainRule, Pod, PodDisruptionBudget, VolumeAttachment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration`,
    ]);
  });

  it('are those of the other cluster, where that was given', () => {
    const budgets = aThing('policy/v1', 'PodDisruptionBudget', 'shop');
    const manifests = [aNode('a'), aPod('web-1', 'a', { kind: 'Job', name: 'x' })].map((object) => ({
      from: '',
      object,
    }));
    const workload = { namespace: 'fleet', name: 'blue', manifests };
    expect(notesOfNothing([aMachine('a'), budgets], [workload])).toEqual([
      `${none}MachineDrainRule, PodDisruptionBudget, VolumeAttachment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration`,
    ]);
  });

  it('are only those beside the Machines where not even its Node was given', () => {
    expect(notesOfNothing([aMachine('a')])).toEqual([`${none}MachineDrainRule`]);
  });
});

describe('the Machines that notes are about', () => {
  const deletionTimestamp = '2026-01-02T00:00:00Z';
  const machines = [aMachine('a'), aMachine('b', { metadata: { deletionTimestamp } }), aMachine('c')];
  const about = (names?: { namespace: string; name: string }[]) =>
    givenNotes({ management: machines, workloads: [] }, names).flatMap(
      (note) => /^Machine fleet\/(\w)/.exec(note)?.[1] ?? [],
    );

  it('are those that are named', () => {
    expect(about([{ namespace: 'fleet', name: 'c' }])).toEqual(['c']);
  });

  it('are those that are being deleted where none is named', () => {
    expect(about()).toEqual(['b']);
  });
});
