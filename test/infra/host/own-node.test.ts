import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodeInToken, ownNodeOf } from '../../../infra/host/own-node.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { readConfig } from '../../../shared/runtime/config.ts';

const tokenOf = (claims: unknown): string =>
  ['header', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.');

const bound = tokenOf({
  aud: ['https://kubernetes.default.svc'],
  'kubernetes.io': {
    namespace: 'phaseout',
    node: { name: 'worker-1', uid: 'n' },
    pod: { name: 'phaseout-00001', uid: 'p' },
    serviceaccount: { name: 'phaseout', uid: 's' },
  },
});

test.each([
  ['of a Pod', bound, 'worker-1'],
  ['of Kubernetes before 1.30', tokenOf({ 'kubernetes.io': { pod: { name: 'p' } } }), undefined],
  ['that is bound to nothing', tokenOf({ sub: 'system:serviceaccount:a:b' }), undefined],
  ['that is no JWT', 'abc', undefined],
  ['that is empty', '', undefined],
])('a token %s', (_name, token, node) => {
  expect(nodeInToken(token)).toBe(node);
});

const folder = mkdtempSync(join(tmpdir(), 'phaseout-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kubeConfigWith = (tokenFile: string) =>
  loadKubeConfig({
    text: JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1' } }],
      users: [{ name: 'u', user: { tokenFile } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  });

test.each([
  ['the configuration is asked first', { NODE_NAME: 'other' }, 'token', 'other'],
  ['then the token', {}, 'token', 'worker-1'],
  ['a token that cannot be read says nothing', {}, 'nowhere', ''],
  ['outside of the cluster there is no Pod', { KUBECONFIG: 'file' }, 'token', ''],
])('%s', (_name, env, file, node) => {
  writeFileSync(join(folder, 'token'), bound);
  expect(ownNodeOf(readConfig(env), kubeConfigWith(join(folder, file)))).toBe(node);
});
