import { expect, test } from 'vitest';

import { readSecretKubeConfig } from '../../../../shared/adapters/workload-clusters/secret-kubeconfig.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { kubeConfigText } from '../kubernetes/local-server.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretWith = (text: string): KubeObject => ({ metadata: { name: 's' }, data: { value: base64(text) } });

const yaml = `
apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "https://10.0.0.1:6443", certificate-authority-data: ${base64('CA')}}
users:
- name: c-admin
  user:
    client-certificate-data: ${base64('CERT')}
    client-key-data: ${base64('KEY')}
contexts:
- name: c-admin@c
  context: {cluster: c, user: c-admin}
current-context: c-admin@c
`;

test('a kubeconfig as Cluster API writes it is read', () => {
  const reading = readSecretKubeConfig(secretWith(yaml));
  if (reading.kind === 'broken') throw new Error(reading.why);
  expect(reading.kubeConfig.getCurrentCluster()).toMatchObject({
    server: 'https://10.0.0.1:6443',
    caData: base64('CA'),
  });
  expect(reading.kubeConfig.getCurrentUser()).toMatchObject({
    certData: base64('CERT'),
    keyData: base64('KEY'),
  });
});

test.each<[string, object, string]>([
  ['an exec plugin', { exec: { command: 'sh', apiVersion: 'v1' } }, 'user "u" uses exec'],
  ['an auth provider', { 'auth-provider': { name: 'gcp' } }, 'user "u" uses auth-provider'],
  ['a token file', { tokenFile: '/var/run/secrets/token' }, 'user "u" uses tokenFile'],
  ["a token file in the library's spelling", { 'token-file': '/etc/shadow' }, 'user "u" uses token-file'],
  ['a certificate file', { 'client-certificate': '/etc/tls.crt' }, 'user "u" uses client-certificate'],
  ['a key file', { 'client-key': '/etc/tls.key' }, 'user "u" uses client-key'],
])('%s is refused', (_, user, why) => {
  expect(readSecretKubeConfig(secretWith(kubeConfigText('https://h', user)))).toEqual({
    kind: 'broken',
    why: `key "value" must be self-contained: ${why}`,
  });
});

test('nothing that is odd in a kubeconfig is told to anybody by the parser, which would quote it', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listen);
  const odd = yaml.replace('client-key-data: ', 'client-key-data: !odd ');
  expect(readSecretKubeConfig(secretWith(odd)).kind).toBe('read');
  await new Promise(setImmediate);
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});

test('a CA file is refused', () => {
  const text = kubeConfigText('https://h', {}, { 'certificate-authority': '/etc/ca.crt' });
  expect(readSecretKubeConfig(secretWith(text))).toEqual({
    kind: 'broken',
    why: 'key "value" must be self-contained: cluster "c" uses certificate-authority',
  });
});

test('a user whom the current context does not name is examined too', () => {
  const config = JSON.parse(kubeConfigText('https://h'));
  config.users.push({ name: 'other', user: { exec: { command: 'sh' } } });
  expect(readSecretKubeConfig(secretWith(JSON.stringify(config)))).toMatchObject({ kind: 'broken' });
});

test.each<[string, KubeObject, string]>([
  ['no data', { metadata: { name: 's' } }, 'has no key "value"'],
  ['another key', { metadata: { name: 's' }, data: { kubeconfig: 'eA==' } }, 'has no key "value"'],
  ['an empty value', { metadata: { name: 's' }, data: { value: '' } }, 'has no key "value"'],
  ['a value that is no text', { metadata: { name: 's' }, data: { value: 7 } }, 'has no key "value"'],
  ['no YAML', secretWith('a: [b: secret-token'), 'key "value" is no YAML'],
  ['other YAML', secretWith('hello'), 'key "value" is no kubeconfig: invalid document'],
  [
    'no clusters and no current context',
    secretWith('{contexts: []}'),
    'key "value" is no kubeconfig: invalid clusters, current-context',
  ],
  [
    'a current context that does not exist',
    secretWith(kubeConfigText('https://h').replace('"current-context":"x"', '"current-context":"y"')),
    'key "value": the current context "y" names no cluster',
  ],
  [
    'an address that is none',
    secretWith(kubeConfigText('not an address')),
    'key "value": the server address is no http or https URL',
  ],
  [
    'an address that is no http',
    secretWith(kubeConfigText('file:///etc')),
    'key "value": the server address is no http or https URL',
  ],
])('%s is named', (_, secret, why) => {
  expect(readSecretKubeConfig(secret)).toEqual({ kind: 'broken', why });
});
