import { describe, expect, test } from 'vitest';
import { aFile } from './a-file.ts';
import { check, usual } from './check.ts';
import { reference, token } from './providers.ts';
import { wrongProviders } from './wrong-providers.ts';

describe('the command line', () => {
  test.each<[string, string[], string]>([
    ['no URL', [], '--url is missing'],
    [
      'a URL of another kind',
      ['--url', 'provider'],
      '--url takes an http or https URL without a query, not "provider"',
    ],
    ['a URL with a password', ['--url', 'http://a:b@c'], '--url takes no user: see --token-file'],
    ['an option nobody knows', ['--uri', 'x'], "Unknown option '--uri'. Did you mean --url?"],
    ['another API', [...usual, '--api', 'capi'], '--api takes openshift or v1alpha1, not "capi"'],
    ['no time', [...usual, '--timeout', '0'], '--timeout takes whole seconds, at least 1, not "0"'],
    [
      'a time that is none',
      [...usual, '--deadline', '5m'],
      '--deadline takes whole seconds, at least 1, not "5m"',
    ],
    ['another output', [...usual, '-o', 'yaml'], '--output takes json, not "yaml"'],
    ['two tokens', [...usual, '--token-file', 'x'], '--token and --token-file exclude each other'],
    [
      'a token with spaces',
      ['--url', 'http://a', '--token', 'a b'],
      '--token: not a token, which has no spaces and only ASCII characters',
    ],
    [
      'a token that is not there',
      ['--url', 'http://a', '--token-file', '/nowhere'],
      '/nowhere: no such file or directory',
    ],
    [
      'a file that is not there',
      [...usual, '--machine', '/nowhere.yaml'],
      '/nowhere.yaml: no such file or directory',
    ],
  ])('with %s is not understood', async (_, args, message) => {
    expect(await check(reference, args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `conformance: ${message}\n`,
    });
  });

  test.each([
    [
      'kind: Machine, apiVersion: cluster.x-k8s.io/v1beta2',
      [],
      'a Machine of machine.openshift.io/v1beta1 or cluster.k8s.io/v1alpha1, not of cluster.x-k8s.io/v1beta2',
    ],
    ['kind: Node, apiVersion: v1', [], 'there is no Machine'],
    [
      'kind: Machine, apiVersion: cluster.k8s.io/v1alpha1',
      ['--api', 'openshift'],
      'not a Machine of --api openshift',
    ],
  ])('with a manifest of {%s} is not understood', async (fields, args, message) => {
    const file = await aFile('machine.yaml', `{${fields}, metadata: {name: m}}`);
    expect(await check(reference, [...usual, '--machine', file, ...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: `conformance: ${file}: ${message}\n`,
    });
  });

  test('with more than one Machine in a file is not understood: nobody knows which is meant', async () => {
    const machine = '{kind: Machine, apiVersion: machine.openshift.io/v1beta1, metadata: {name: m}}';
    const file = await aFile(
      'machines.yaml',
      `${machine}\n---\n${machine.replace('name: m', 'name: other')}`,
    );
    expect(await check(reference, [...usual, '--machine', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `conformance: ${file}: there is more than one Machine\n`,
    });
  });

  test('takes the token from a file', async () => {
    const file = await aFile('token', `${token}\n`);
    expect(await check(reference, ['--url', 'http://provider', '--token-file', file])).toMatchObject({
      code: 0,
    });
  });

  test('explains itself', async () => {
    const { code, stdout } = await check(reference, ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--url URL');
  });

  test('shows what was expected and what came', async () => {
    // It is wrong on purpose, and its answer says so.
    const [, provider] = wrongProviders.find(([what]) => what === 'cannot update')!;
    const { stdout } = await check(provider, [...usual, '--api', 'openshift']);
    expect(stdout).toContain(
      [
        '  ✗ updating works',
        '      expected: 200 with a report, to update',
        '      answered: /v1/update: 422 {"error":{"reason":"UpdateError","message":"not implemented"}}',
      ].join('\n'),
    );
    expect(stdout).toMatch(
      /The provider does not keep to the contract: \d+ passed, 3 failed, 0 skipped\.\n$/,
    );
  });

  test('stops when the provider does not take the token', async () => {
    const { stdout } = await check(reference, ['--url', 'http://provider']);
    expect(stdout).toBe(
      [
        'HTTP',
        '  ✗ the provider answers, and takes the token',
        '      expected: another status than 401 and 403',
        '      answered: /v1/exists: 401 {"error":{"message":"the token is missing or wrong"}} (no token was given: see --token-file)',
        '',
        'The provider does not keep to the contract: 0 passed, 1 failed, 0 skipped.',
        '',
      ].join('\n'),
    );
  });
});
