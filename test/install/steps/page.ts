import { request } from 'node:http';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import { groupVersionOf, type KubeObject } from '../../../shared/kubernetes/objects.ts';
import { pathOf, resources } from '../../cluster/kinds.ts';
import type { Scene } from '../../cluster/scene.ts';
import { type Forwarded, forwarded, kubectl } from '../kubectl.ts';
import { begin, finish, populate, worker } from '../machines.ts';
import { home, type Stage } from '../stage.ts';
import { needsKubectl, type Step } from '../step.ts';

const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments' };
const folders = ['viewer', 'viewer-workload', 'page'];
const folderOf = (name: string): string => `infra/manifests/${name}`;
const image = { namespace: home, name: 'phaseout-page' };

export const page: Step = {
  name: 'page',
  text: 'the page in the cluster shows to a token of its own audience what that one may see, and nothing else',
  notHere: needsKubectl,
  async play(stage) {
    try {
      await apply(stage);
      await playPage(stage);
    } finally {
      for (const name of folders) await kubectl(stage, 'delete', '--ignore-not-found', '-k', folderOf(name));
    }
  },
};

async function playPage(stage: Stage): Promise<void> {
  const seen = await stage.scene('seen');
  const hidden = await stage.scene('hidden');
  const wishes = { pods: 1, slowMilliseconds: 20_000 };
  for (const scene of [seen, hidden]) await populate(stage, scene, wishes);
  for (const scene of [seen, hidden]) await begin(scene);
  await seen.untilSeen('Pod slow asked to go');
  const forward = await forwarded(stage, 'phaseout-page', 8080);
  try {
    await look(stage, forward, { seen, hidden });
  } finally {
    await forward.close();
  }
  for (const scene of [seen, hidden]) await finish(scene, wishes);
  for (const { chronicle } of [seen, hidden]) chronicle.close();
}

/** As the page's README says it, with this image. */
async function apply(stage: Stage): Promise<void> {
  for (const name of folders.filter((one) => one !== 'page'))
    await kubectl(stage, 'apply', '-k', folderOf(name));
  const text = await kubectl(stage, 'kustomize', folderOf('page'));
  const objects = parseAllDocuments(text).map((document): KubeObject => document.toJS());
  for (const object of objects) {
    const resource = await stage.site.kubernetes.discover(groupVersionOf(object).group, object.kind ?? '');
    if (resource === undefined) throw new Error(`${object.kind} is not served`);
    const written = await stage.site.kubernetes.apply(resource, withImage(object, stage.image), {
      fieldManager: 'phaseout-test-install',
    });
    if (written.kind !== 'applied')
      throw new Error(`${object.kind} ${object.metadata.name}: ${written.kind}`);
  }
  await stage.until('the page to be ready', async () => {
    const found = await stage.site.kubernetes.get(deployments, image);
    return Object(found?.['status']).availableReplicas === 1 ? true : undefined;
  });
}

const withImage = (object: KubeObject, name: string): KubeObject =>
  JSON.parse(JSON.stringify(object).replaceAll('"image":"phaseout"', `"image":${JSON.stringify(name)}`));

interface Scenes {
  seen: Scene;
  hidden: Scene;
}

/** A ServiceAccount that may look at Machines in one namespace, and at no Pod. */
async function look(stage: Stage, { port }: Forwarded, { seen, hidden }: Scenes): Promise<void> {
  const reader = { namespace: seen.namespace, name: 'reader' };
  await seen.make({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader' } });
  await seen.make({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'phaseout-viewer' },
    subjects: [{ kind: 'ServiceAccount', ...reader }],
  });
  const foreign = await tokenFor(stage, reader, []);
  const refused = await ask(port, 'POST', '/session', foreign);
  if (refused.status !== 401)
    throw new Error(`the page answers a token of another audience with ${refused.status}: ${refused.body}`);
  const opened = await ask(port, 'POST', '/session', await tokenFor(stage, reader, ['phaseout-page']));
  if (opened.status !== 200) throw new Error(`the page refuses its own token: ${opened.body}`);
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(opened.body));
  const session = { key, cookie: opened.cookie };
  const overview = await ask(port, 'GET', '/api/overview', undefined, session);
  if (!overview.body.includes(seen.namespace)) throw new Error(`the Machine is missing: ${overview.body}`);
  if (overview.body.includes(hidden.namespace)) throw new Error(`another one is shown: ${overview.body}`);
  const machine = await ask(
    port,
    'GET',
    `/api/machines/capi/${seen.namespace}/${worker}`,
    undefined,
    session,
  );
  if (machine.status !== 200) throw new Error(`the Machine is not shown: ${machine.body}`);
  if (/\bslow\b/.test(machine.body)) throw new Error(`a Pod is named: ${machine.body}`);
  const other = await ask(
    port,
    'GET',
    `/api/machines/capi/${hidden.namespace}/${worker}`,
    undefined,
    session,
  );
  if (other.body.includes('Pod') || other.body.includes('node'))
    throw new Error(`another Machine is shown: ${other.body}`);
}

const tokenSchema = z.looseObject({ status: z.looseObject({ token: z.string() }) });

async function tokenFor(
  { site }: Stage,
  account: { namespace: string; name: string },
  audiences: readonly string[],
): Promise<string> {
  const path = `${pathOf(resources.serviceAccounts, account)}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences } };
  return tokenSchema.parse((await site.ask({ method: 'POST', path, body })).body).status.token;
}

interface Answered {
  status: number;
  body: string;
  cookie: string;
}

const host = 'localhost:8080';

/** As a browser does that has the page at its usual address. */
function ask(
  port: number,
  method: string,
  path: string,
  body?: string,
  session?: { key: string; cookie: string },
): Promise<Answered> {
  const known = session === undefined ? {} : { cookie: session.cookie, 'x-phaseout-key': session.key };
  const headers = { host, origin: `http://${host}`, ...known };
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () => {
        const [cookie = ''] = (response.headers['set-cookie'] ?? [''])[0]?.split(';') ?? [];
        resolve({ status: response.statusCode ?? 0, body: text, cookie });
      });
    });
    asking.on('error', reject).end(body);
  });
}
