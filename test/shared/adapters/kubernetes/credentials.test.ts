import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { connect } from '../../../../shared/adapters/kubernetes/connect.ts';
import { credentialSource } from '../../../../shared/adapters/kubernetes/credentials.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import type { Kubernetes } from '../../../../shared/kubernetes/client.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { clockOf } from '../../../builders/clock.ts';
import { authority, clientCertificate, clientKey, serverCertificate, serverKey } from './certificates.ts';
import { json, kubeConfigText, startServer } from './local-server.ts';

/** Answers with a Node that tells who asked. */
let server: https.Server;
let url: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'credentials-'));
  const options = {
    cert: serverCertificate,
    key: serverKey,
    ca: authority,
    requestCert: true,
    rejectUnauthorized: false,
  };
  server = https.createServer(options, (request, response) => {
    const { authorization, 'impersonate-user': user } = request.headers;
    const { socket } = request;
    if (!(socket instanceof TLSSocket)) throw new Error('not over TLS');
    const certificate = socket.authorized ? socket.getPeerCertificate().subject.CN : undefined;
    json(response, 200, {
      metadata: { name: 'n' },
      asked: { authorization, user, certificate, protocol: socket.alpnProtocol },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const trusted = { 'certificate-authority-data': base64(authority) };

async function usingKubeConfig<T>(text: string, use: (kubernetes: Kubernetes) => Promise<T>): Promise<T> {
  const kubernetes = connect(loadKubeConfig({ text }), { clock: systemClock });
  try {
    return await use(kubernetes);
  } finally {
    await kubernetes.close();
  }
}

const whoAsked = (user: object, cluster: object = trusted): Promise<unknown> =>
  usingKubeConfig(
    kubeConfigText(url, user, cluster),
    async (kubernetes) => (await kubernetes.get(nodes, { name: 'n' }))?.['asked'],
  );

test.each<[string, object, object]>([
  ['a token', { token: 't' }, { authorization: 'Bearer t' }],
  [
    'a client certificate',
    { 'client-certificate-data': base64(clientCertificate), 'client-key-data': base64(clientKey) },
    { certificate: 'phaseout' },
  ],
  ['a name and password', { username: 'ü', password: 'p:w' }, { authorization: `Basic ${base64('ü:p:w')}` }],
  ['an impersonated user', { token: 't', as: 'jane' }, { authorization: 'Bearer t', user: 'jane' }],
  ['nothing', {}, {}],
])('the server sees %s, over HTTP/1.1', async (_, user, asked) => {
  expect(await whoAsked(user)).toEqual({ ...asked, protocol: 'http/1.1' });
});

test('a context without user still trusts its own authority', async () => {
  const config = JSON.parse(kubeConfigText(url, {}, trusted));
  delete config.contexts[0].context.user;
  const found = await usingKubeConfig(JSON.stringify(config), (kubernetes) =>
    kubernetes.get(nodes, { name: 'n' }),
  );
  expect(found?.metadata.name).toBe('n');
});

test.each<[string, (tokenFile: string) => object]>([
  ['as kubectl knows it', (tokenFile) => ({ tokenFile })],
  ['as a provider', (tokenFile) => ({ 'auth-provider': { name: 'tokenFile', config: { tokenFile } } })],
])('a token file %s is read without the line end', async (_, user) => {
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, 'from-file\n');
  expect(await whoAsked(user(tokenFile))).toMatchObject({ authorization: 'Bearer from-file' });
});

test('an exec plugin is asked for a token', async () => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'from-plugin' },
  };
  const exec = { apiVersion: credential.apiVersion, command: 'echo', args: [JSON.stringify(credential)] };
  expect(await whoAsked({ exec })).toMatchObject({ authorization: 'Bearer from-plugin' });
});

/** A plugin that says nothing of an end. */
const credentialWith = (token: string): string =>
  JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token },
  });

test.each<[string, (file: string) => object, (token: string) => string]>([
  ['a plugin', (file) => ({ exec: { command: 'cat', args: [file] } }), credentialWith],
  ['a file', (tokenFile) => ({ tokenFile }), (token) => token],
])('a token from %s is asked for again once it was refused', async (_, userWith, contentOf) => {
  const file = path.join(folder, 'renewed');
  let accepted = 'first';
  await using picky = await startServer(({ headers }, response) => {
    const isKnown = headers.authorization === `Bearer ${accepted}`;
    json(response, isKnown ? 200 : 401, isKnown ? { metadata: { name: 'n' } } : { kind: 'Status' });
  });
  await usingKubeConfig(kubeConfigText(picky.url, userWith(file)), async (kubernetes) => {
    await writeFile(file, contentOf('first'));
    await kubernetes.get(nodes, { name: 'n' });
    await writeFile(file, contentOf('second'));
    accepted = 'second';
    await expect(kubernetes.get(nodes, { name: 'n' })).rejects.toThrow('401');
    expect(await kubernetes.get(nodes, { name: 'n' })).toMatchObject({ metadata: { name: 'n' } });
  });
});

test('a plugin whose tokens are refused is not run for every request', async () => {
  const runs = path.join(folder, 'runs');
  const file = path.join(folder, 'refused');
  await writeFile(file, credentialWith('refused'));
  const exec = { command: 'sh', args: ['-c', `echo run >> ${runs}; cat ${file}`] };
  let now = 0;
  const source = credentialSource(
    loadKubeConfig({ text: kubeConfigText(url, { exec }) }),
    clockOf(() => now),
  );
  const runsAfterRefusals = async (...seconds: number[]): Promise<number> => {
    for (const second of seconds) {
      now = second * 1_000;
      await source.current();
      source.forget();
    }
    await source.current();
    return (await readFile(runs, 'utf8')).trim().split('\n').length;
  };
  expect(await runsAfterRefusals(0, 0, 1, 4)).toBe(2);
  expect(await runsAfterRefusals(5, 6, 9)).toBe(3);
});

test('credentials that cannot be read are named, and nothing is asked', async () => {
  const tokenFile = path.join(folder, 'missing');
  await expect(whoAsked({ 'auth-provider': { name: 'tokenFile', config: { tokenFile } } })).rejects.toThrow(
    `GET nodes/n of ${url}: ENOENT`,
  );
});

test.each<[string, object, RegExp]>([
  ['without its authority', {}, /self-signed certificate|unable to (get|verify)/],
  ['under another name', { ...trusted, 'tls-server-name': 'other' }, /altname|Hostname/i],
])('a server is not believed %s', async (_, cluster, message) => {
  await expect(whoAsked({ token: 't' }, cluster)).rejects.toThrow(message);
});

test.each<[string, object]>([
  ['with verification switched off', { 'insecure-skip-tls-verify': true }],
  ['under the name the kubeconfig gives', { ...trusted, 'tls-server-name': 'kubernetes' }],
])('a server is believed %s', async (_, cluster) => {
  expect(await whoAsked({ token: 't' }, cluster)).toMatchObject({ authorization: 'Bearer t' });
});

test('a kubeconfig is read from a file, with paths relative to it', async () => {
  await writeFile(path.join(folder, 'ca.crt'), authority);
  const file = path.join(folder, 'kubeconfig');
  await writeFile(path.join(folder, 'my-token'), 'relative');
  await writeFile(
    file,
    kubeConfigText(url, { tokenFile: 'my-token' }, { 'certificate-authority': 'ca.crt' }),
  );
  const kubernetes = connect(loadKubeConfig({ file }), { clock: systemClock });
  expect((await kubernetes.get(nodes, { name: 'n' }))?.['asked']).toMatchObject({
    authorization: 'Bearer relative',
  });
  await kubernetes.close();
});

test('plain http and a path in the address are fine', async () => {
  await using plain = await startServer((_, response) => json(response, 200, { metadata: { name: 'n' } }));
  const text = kubeConfigText(`${plain.url}/k8s/clusters/c-1/`, { token: 't' });
  await usingKubeConfig(text, (kubernetes) => kubernetes.get(nodes, { name: 'n' }));
  expect(plain.seen[0]).toMatchObject({
    path: '/k8s/clusters/c-1/api/v1/nodes/n',
    headers: { authorization: 'Bearer t' },
  });
});

test('requests go through the proxy that the kubeconfig names', async () => {
  await using proxy = await startServer((_, response) => json(response, 200, { metadata: { name: 'n' } }));
  const text = kubeConfigText('http://cluster.invalid:1', { token: 't' }, { 'proxy-url': proxy.url });
  await usingKubeConfig(text, (kubernetes) => kubernetes.get(nodes, { name: 'n' }));
  expect(proxy.seen).toHaveLength(1);
});

test('a kind of proxy that is not supported is named', async () => {
  const text = kubeConfigText('http://cluster.invalid:1', {}, { 'proxy-url': 'socks5://127.0.0.1:1' });
  await expect(usingKubeConfig(text, (kubernetes) => kubernetes.get(nodes, { name: 'n' }))).rejects.toThrow(
    'only http and https proxies are supported',
  );
});
