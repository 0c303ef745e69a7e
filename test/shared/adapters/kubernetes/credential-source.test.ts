import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

import {
  type CredentialSource,
  credentialSource,
} from '../../../../shared/adapters/kubernetes/credentials.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { kubeConfigText } from './local-server.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

let clock: ManualClock;
let file: string;
let source: CredentialSource;

beforeEach(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'credential-source-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  clock = manualClock();
  file = path.join(folder, 'ca.crt');
  const text = kubeConfigText('https://127.0.0.1:1', {}, { 'certificate-authority': file });
  source = credentialSource(loadKubeConfig({ text }), clock);
});

const authority = async (): Promise<string> => String((await source.current()).tls.ca);

/** Whatever the clock is set back to meanwhile. */
test.each([0, 3_600_000])(
  'what was renewed is used ten seconds later: clock set back by %i',
  async (back) => {
    await writeFile(file, 'former');
    expect(await authority()).toBe('former');
    await writeFile(file, 'renewed');
    clock.setBack(back);
    await clock.advance(9_999);
    expect(await authority()).toBe('former');
    await clock.advance(1);
    expect(await authority()).toBe('renewed');
  },
);

test('what was renewed is used at once where the server did not take the former', async () => {
  await writeFile(file, 'former');
  await authority();
  await writeFile(file, 'renewed');
  source.forget();
  expect(await authority()).toBe('renewed');
});

test('what could not be read is read again', async () => {
  await expect(authority()).rejects.toThrow('ENOENT');
  await writeFile(file, 'there by now');
  expect(await authority()).toBe('there by now');
});
