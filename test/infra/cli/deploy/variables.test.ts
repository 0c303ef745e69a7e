import { describe, expect, it } from 'vitest';
import { type DeployOptions, deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { lostVariables, variablesIn } from '../../../../infra/cli/deploy/variables.ts';
import { CannotDo } from '../../../../infra/terminal/usage-error.ts';
import { configMap, options, ours, someObjects } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const variables = (data: Record<string, unknown>) => variablesIn([configMap(data)]);

describe('variables that lose their value', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[], object[]]>([
    [
      'has another',
      { AWS_REGION: 'a' },
      { AWS_REGION: 'b' },
      [],
      [{ name: 'AWS_REGION', before: 'a', after: 'b' }],
    ],
    ['has none any more', { A: '1', B: '2' }, { B: '2' }, [], [{ name: 'A', before: '1', after: undefined }]],
    ['is empty', { A: '1' }, { A: '' }, [], [{ name: 'A', before: '1', after: undefined }]],
    ['is the same', { A: '1' }, { A: '1' }, [], []],
    ['had none before', { A: '' }, { A: '1', B: '2' }, [], []],
    ['was given another one', { A: '1', B: '2' }, {}, ['B', 'A'], []],
    ['has an option', { PHASEOUT_MACHINE_APIS: 'a', PHASEOUT_NAMESPACES: 'b' }, {}, [], []],
  ])('one that %s', (_, before, after, said, lost) => {
    expect(lostVariables(variables(before), variables(after), said)).toEqual(lost);
  });
});

const modes = (mode: string, apis?: string) => ({
  PHASEOUT_MODE: mode,
  ...(apis !== undefined && { PHASEOUT_MACHINE_APIS: apis }),
});

describe('a mode that nobody has said again', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an API that is not looked after', modes('capi:beside', 'capi'), 'capi:beside,openshift:beside'],
    [
      'an API after another',
      modes('openshift:beside,v1alpha1:replace', 'openshift'),
      'capi:replace,openshift:beside',
    ],
    ['no API, in other words', modes('capi:beside,openshift:beside,v1alpha1:replace'), 'beside'],
    [
      'an API that was only watched and is not looked after',
      modes('observe', 'capi'),
      'capi:observe,openshift:beside',
    ],
  ])('is not lost where it changes for %s', (_, before, after) => {
    expect(lostVariables(variables(before), variables(modes(after)), [])).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['an API that is looked after', modes('capi:beside', 'capi'), 'capi:replace'],
    ['one of several', modes('beside'), 'capi:beside,openshift:replace'],
    ['one that was only watched, and would be taken over', modes('observe', 'v1alpha1'), 'v1alpha1:replace'],
    ['one that was only watched, and would get hooks', modes('observe', 'capi'), 'capi:beside'],
    [
      'one that was taken over, and would only be watched',
      modes('replace', 'openshift'),
      'openshift:observe',
    ],
  ])('is lost where it changes for %s', (_, before, after) => {
    const lost = { name: 'PHASEOUT_MODE', before: before['PHASEOUT_MODE'], after };
    expect(lostVariables(variables(before), variables(modes(after)), [])).toEqual([lost]);
  });

  it('is named before anything is changed', async () => {
    const { running, changes } = await upgrade(modes('observe'), modes('replace'));
    await expect(running).rejects.toThrow(
      'it was installed with PHASEOUT_MODE=observe: --set PHASEOUT_MODE=observe leaves it so, --set PHASEOUT_MODE=replace changes it',
    );
    expect(changes()).toEqual([]);
  });

  it('changes for an API that is not looked after without a word', async () => {
    const before = modes('capi:replace', 'capi');
    const after = modes('capi:replace,openshift:beside', 'capi');
    const { running, warnings } = await upgrade(before, after);
    expect(await running).toBe('done');
    expect(warnings()).toEqual([]);
  });
});

const store = ours('apps/v1', 'Deployment', 'phaseout-dynamodb', { spec: { replicas: 0 } });

const configured = (data: object) =>
  someObjects.map((one) => (one.kind === 'ConfigMap' ? configMap(data) : one));

async function upgrade(
  before: object,
  after: object,
  more: Partial<DeployOptions> = {},
  brought: readonly (typeof store)[] = [],
) {
  const cluster = await aCluster();
  await deploy(siteAt(cluster).site, options([...configured(before), ...brought]));
  const { site, told, changes } = siteAt(cluster);
  const running = deploy(site, options(configured(after), more));
  const warnings = () => told.flatMap((one) => (one.event === 'warning' ? [one.text] : []));
  return { running, warnings, changes };
}

const url = 'http://old.example';

describe('a variable that nobody has said again', () => {
  it.each<[object, object, string]>([
    [
      { PHASEOUT_TABLE: 'mine' },
      { PHASEOUT_TABLE: 'phaseout' },
      'it was installed with PHASEOUT_TABLE=mine: --set PHASEOUT_TABLE=mine leaves it so, --set PHASEOUT_TABLE=phaseout changes it',
    ],
    [
      { PHASEOUT_ACTUATOR_URL: url },
      { PHASEOUT_ACTUATOR_URL: '' },
      `it was installed with PHASEOUT_ACTUATOR_URL=${url}: --set PHASEOUT_ACTUATOR_URL=${url} leaves it so, --set PHASEOUT_ACTUATOR_URL= changes it`,
    ],
    [
      { PHASEOUT_DYNAMODB_ENDPOINT: url },
      {},
      `it was installed with PHASEOUT_DYNAMODB_ENDPOINT=${url}: --set PHASEOUT_DYNAMODB_ENDPOINT=${url} leaves it so, --set PHASEOUT_DYNAMODB_ENDPOINT= changes it`,
    ],
  ])('%j is not lost: nothing is changed', async (before, after, message) => {
    const { running, changes } = await upgrade(before, after);
    await expect(running).rejects.toThrow(new CannotDo(message));
    expect(changes()).toEqual([]);
  });

  it('is lost with a warning where less depends on it', async () => {
    const before = { AWS_REGION: 'eu-\u001b[2J1', PHASEOUT_LOG: 'text', PHASEOUT_LOG_LEVEL: 'debug' };
    const { running, warnings } = await upgrade(before, {
      PHASEOUT_LOG: 'json',
      PHASEOUT_LOG_LEVEL: 'debug',
    });
    expect(await running).toBe('done');
    expect(warnings()).toEqual([
      'variables lose the values that they were installed with (--set NAME=VALUE keeps one): AWS_REGION: eu-\ufffd[2J1 -> eu-central-1, PHASEOUT_LOG: text -> json',
    ]);
  });

  it('is changed without a word where it was given', async () => {
    const said = ['PHASEOUT_TABLE', 'PHASEOUT_LOG'];
    const before = { PHASEOUT_TABLE: 'mine', PHASEOUT_LOG: 'text' };
    const { running, warnings } = await upgrade(before, { PHASEOUT_TABLE: 'phaseout' }, { said });
    expect(await running).toBe('done');
    expect(warnings()).toEqual([]);
  });
});

describe('the address of a store that was brought along', () => {
  const before = { PHASEOUT_DYNAMODB_ENDPOINT: url };

  it('is not asked for beside the store', async () => {
    const { running } = await upgrade(before, {}, {}, [store]);
    await expect(running).rejects.toThrow(
      /^it was installed with a store of its own: .* --no-dynamodb-local takes it away$/,
    );
  });

  it('goes with it', async () => {
    const unsaid = { ...options().unsaid, dynamodbLocal: false };
    const { running, warnings } = await upgrade(before, {}, { unsaid }, [store]);
    expect(await running).toBe('done');
    expect(warnings()).toEqual([]);
  });

  it('is not taken away where none was brought along: it is that of another', async () => {
    const unsaid = { ...options().unsaid, dynamodbLocal: false };
    const { running } = await upgrade(before, {}, { unsaid });
    await expect(running).rejects.toThrow(
      `--set PHASEOUT_DYNAMODB_ENDPOINT=${url} leaves it so, --set PHASEOUT_DYNAMODB_ENDPOINT= changes it`,
    );
  });

  it('takes the place of another', async () => {
    const unsaid = { ...options().unsaid, dynamodbLocal: false };
    const { running } = await upgrade(before, { PHASEOUT_DYNAMODB_ENDPOINT: 'http://new' }, { unsaid });
    expect(await running).toBe('done');
  });
});
