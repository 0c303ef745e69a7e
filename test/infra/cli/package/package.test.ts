import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { main } from '../../../../infra/cli/main.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { anOutside, phaseout } from '../outside.ts';

async function packaged(...args: string[]) {
  const written = await phaseout('package', ...args);
  const folder = join(written.folder, '.phaseout/manifests');
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const objects = texts.flatMap((text) =>
    parseAllDocuments(text).map((document): KubeObject => document.toJS()),
  );
  const ofKind = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind);
  return { ...written, names, ofKind };
}

describe('package', () => {
  it('writes what kubectl can apply', async () => {
    const { code, stdout, stderr, names, ofKind } = await packaged('--image', 'example.com/phaseout:1');
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout:
        `${names.length} files for: kubectl apply --server-side --force-conflicts -k .phaseout/manifests\n` +
        'once, for the key of DeletionHooks: kubectl create secret generic phaseout-hook-key -n phaseout --from-literal=key="$(openssl rand -base64 32)"\n',
    });
    const [kustomization] = ofKind('Kustomization');
    expect(kustomization?.['resources']).toEqual(expect.arrayContaining(['functions.yaml', 'sources.yaml']));
    expect(JSON.stringify(ofKind('Service'))).toContain('"image":"example.com/phaseout:1"');
    expect(ofKind('ApiServerSource')).toHaveLength(3);
    expect(ofKind('CustomResourceDefinition').map(({ metadata }) => metadata.name)).toEqual([
      'deletionhooks.phaseout.dev',
      'drainpolicies.phaseout.dev',
    ]);
    expect(ofKind('Secret')).toEqual([]);
  });

  it('renders what the options say', async () => {
    const line =
      '--machine-apis capi-v1beta1 --namespace there --namespaces a,b --broker-class Kafka --dynamodb-local --drain-rules --no-deletion-hooks --no-drain-policies --policies --set AWS_REGION=eu-west-1 PHASEOUT_TABLE=mine A=b=c';
    const { ofKind, stdout } = await packaged('--image', 'phaseout', ...line.split(' '));
    expect(stdout).toContain('kubectl create secret generic phaseout-hook-key -n there ');
    const sources = ofKind('ApiServerSource').map(({ metadata }) => metadata.namespace);
    expect(sources).toEqual(['a', 'b']);
    expect(JSON.stringify(ofKind('ApiServerSource'))).toContain('"cluster.x-k8s.io/v1beta1"');
    expect(ofKind('Broker')).toMatchObject([
      { metadata: { namespace: 'there', annotations: { 'eventing.knative.dev/broker.class': 'Kafka' } } },
    ]);
    expect(ofKind('PersistentVolumeClaim')).toHaveLength(1);
    expect(ofKind('CustomResourceDefinition')).toHaveLength(1);
    expect(ofKind('ValidatingAdmissionPolicy').length).toBeGreaterThan(0);
    expect(ofKind('ConfigMap')).toMatchObject([
      { metadata: { name: 'phaseout-registration' } },
      { data: { AWS_REGION: 'eu-west-1', PHASEOUT_TABLE: 'mine', A: 'b=c' } },
    ]);
  });

  it.each([
    [
      '--machine-apis=aws',
      'there is no Machine API "aws" (there are capi, capi-v1beta1, openshift, v1alpha1)',
    ],
    ['--machine-apis=capi,capi-v1beta1', '--machine-apis: capi and capi-v1beta1 exclude each other'],
    ['more', 'unexpected argument "more"'],
  ])('refuses %s', async (argument, message) => {
    const { code, stderr } = await phaseout('package', argument);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `phaseout: ${message}\nTry: phaseout package --help\n`,
    });
  });
});

describe('without --image', () => {
  it('refuses: the manifests would name an image that no registry has', async () => {
    const { code, stdout, stderr } = await phaseout('package');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'phaseout: package needs --image: one that the cluster can pull, or a name that your kustomization replaces\n',
    );
  });

  it('takes the one that the file of the user names', async () => {
    const { outside, folder } = await anOutside();
    const own = await readFile(new URL('../../../../serverless.yml', import.meta.url), 'utf8');
    await writeFile(
      join(folder, 'own.yml'),
      own.replace('  image: phaseout\n', '  image: example.com/own:2\n'),
    );
    expect(await main(['package', '--file', 'own.yml', '--out', 'out'], outside)).toBe(0);
    expect(await readFile(join(folder, 'out/functions.yaml'), 'utf8')).toContain('image: example.com/own:2');
  });
});

describe('the folder', () => {
  const args = ['package', '--image', 'example.com/phaseout:1', '--out', 'out'];

  it('keeps nothing of what was rendered there before', async () => {
    const { outside, folder } = await anOutside();
    await main([...args, '--dynamodb-local'], outside);
    expect(await readdir(join(folder, 'out'))).toContain('store.yaml');
    expect(await main(args, outside)).toBe(0);
    expect(await readdir(join(folder, 'out'))).not.toContain('store.yaml');
  });

  it.each(['notes.txt', 'mine.yaml'])('is left alone when it holds %s', async (name) => {
    const { outside, written, folder } = await anOutside();
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', name), 'a: 1\n');
    expect(await main(args, outside)).toBe(1);
    expect(written.stderr).toBe(
      `phaseout: ${join(folder, 'out')} holds ${name}, which was not rendered: choose another folder with --out\n`,
    );
    expect(await readdir(join(folder, 'out'))).toEqual([name]);
  });

  it('is no file', async () => {
    const { outside, written, folder } = await anOutside();
    await writeFile(join(folder, 'out'), 'a: 1\n');
    expect(await main(args, outside)).toBe(1);
    expect(written.stderr).toBe(`phaseout: ${join(folder, 'out')}: not a directory\n`);
  });
});
