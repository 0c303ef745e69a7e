import { expect, it } from 'vitest';
import { outdated } from '../../../../infra/cli/remove/take-away.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { trigger } from './installation.ts';

const resource = { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers' };
const old = trigger('old');
const going: KubeObject = {
  ...old,
  metadata: { ...old.metadata, name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' },
};
const inAnotherVersion = { ...trigger('drain'), apiVersion: 'eventing.knative.dev/v1beta1' };

it('what is outdated is neither wanted nor on its way out', () => {
  const there = [old, going, inAnotherVersion].map((object) => ({ resource, object }));
  expect(outdated(there, [trigger('drain')])).toEqual([{ resource, object: old }]);
});
