import { expect, it } from 'vitest';
import { untilObjectGone } from '../../../../infra/cli/deploy/until-gone.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { CouldNotLook } from '../../../../shared/kubernetes/port.ts';
import { trigger } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const triggers = { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers' };

const withUid = (uid: string): KubeObject => {
  const { metadata, ...rest } = trigger('drain');
  return { ...rest, metadata: { ...metadata, uid } };
};

/** Whether the one with the UID `old` is taken for gone where the cluster answers like this; the last one stays. */
async function isGone(...answers: (KubeObject | Error | undefined)[]): Promise<boolean> {
  const { site } = siteAt(await aCluster());
  site.kubernetes.get = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return untilObjectGone(site, triggers, withUid('old'));
}

it.each<[string, Parameters<typeof isGone>, boolean]>([
  ['that is there no more has gone', [withUid('old'), undefined], true],
  ['in whose place is another one has gone', [withUid('new')], true],
  ['that stays for a minute has not', [withUid('old')], false],
  ['that cannot be asked about has not', [new CouldNotLook('no answer')], false],
  [
    'that could not be asked about for a while is asked about again',
    [new CouldNotLook('busy'), undefined],
    true,
  ],
])('an object %s', async (_, answers, expected) => {
  expect(await isGone(...answers)).toBe(expected);
});
