import { nameOf } from '../../../infra/cli/deploy/object-name.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import { namespaces } from '../../../shared/kubernetes/resources.ts';
import { revisionNames } from '../functions.ts';
import { expectEnd, home, type Stage } from '../stage.ts';
import type { Step } from '../step.ts';

export const dryRun: Step = {
  name: 'dry-run',
  text: 'a dry run on a cluster without phaseout says what it could not ask about, and makes nothing',
  async play(stage) {
    expectEnd(await stage.deploy('--dry-run'), 0, /the cluster was not asked about \d+ of them/, 'a dry run');
    const found = await stage.site.kubernetes.get(namespaces, { name: home });
    if (found !== undefined) throw new Error(`the dry run has made Namespace ${home}`);
  },
};

export const first: Step = {
  name: 'deploy',
  text: 'the first deploy: all is ready, each Service has one Revision, and each policy compiles',
  isAlways: true,
  async play(stage) {
    const { seconds } = expectEnd(await stage.deploy(), 0, 'all is ready after');
    stage.note(`deploy: ${seconds.toFixed(1)} s`);
    const names = await revisionNames(stage);
    if (names.length !== 1) throw new Error(`${names.length} Revisions: ${names.join(', ')}`);
    await policiesCompile(stage);
  },
};

export const again: Step = {
  name: 'deploy-again',
  text: 'the same deploy once more changes nothing',
  async play(stage) {
    const { seconds } = expectEnd(await stage.deploy(), 0, /\n\d+ unchanged; all is ready after/);
    stage.note(`deploy again: ${seconds.toFixed(1)} s`);
  },
};

export const second: Step = {
  name: 'second',
  text: 'a second installation in another namespace is refused',
  async play(stage) {
    const ended = await stage.deploy('--namespace', 'phaseout-second');
    expectEnd(
      ended,
      1,
      'phaseout is installed in namespace phaseout, not phaseout-second: a cluster takes one',
    );
    const found = await stage.site.kubernetes.get(namespaces, { name: 'phaseout-second' });
    if (found !== undefined) throw new Error('it has made Namespace phaseout-second');
  },
};

const policies: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
};

/** What the API server finds in the types of an expression it says in the status, some time later. */
async function policiesCompile({ site, until }: Stage): Promise<void> {
  const kind = await site.kubernetes.discover(policies.group, 'ValidatingAdmissionPolicy', 'v1');
  if (kind === undefined) return;
  const ours = { labelSelector: 'app.kubernetes.io/managed-by=phaseout' };
  const warnings = await until('the types of the policies to be checked', async () => {
    const { items } = await site.kubernetes.list(policies, ours);
    const isChecked = items.every(
      ({ metadata, status }) => Object(status).observedGeneration === metadata.generation,
    );
    if (!isChecked) return undefined;
    return items.flatMap((object) => {
      const found: unknown = Object(Object(object.status).typeChecking).expressionWarnings;
      return Array.isArray(found) ? found.map((one) => `${nameOf(object)}: ${JSON.stringify(one)}`) : [];
    });
  });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
}
