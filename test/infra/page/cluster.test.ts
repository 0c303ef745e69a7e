import { describe, expect, test } from 'vitest';
import { noChoice } from '../../../infra/page/client/fleet/choice.ts';
import { chosen } from '../../../infra/page/client/fleet/chosen.ts';
import type { MachineView, OverviewView, PlanView } from '../../../infra/page/views.ts';
import { parsed } from '../cli/outside.ts';
import { ask, sessionIn } from './ask.ts';
import { aClusterPage, plan } from './cluster-stage.ts';

async function aPage() {
  const { port } = await aClusterPage(['page.example']);
  const host = 'page.example';
  const login = (body: string, headers: Record<string, string> = {}) =>
    ask(port, '/session', {
      method: 'POST',
      body,
      headers: { host, origin: 'https://page.example', ...headers },
    });
  const sessionOf = async (token: string) => ({ host, ...sessionIn(await login(token)) });
  const read = async <T>(path: string, token: string): Promise<T> => {
    const { text } = await ask(port, path, { headers: await sessionOf(token) });
    return parsed<T>(text);
  };
  return { port, login, sessionOf, read };
}

describe('the page in a cluster', () => {
  test('opens for a token of its own audience, with a cookie that no script reads', async () => {
    const { login } = await aPage();
    const { status, headers } = await login('admin-token');
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(
      /^phaseout-page=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test.each([
    ['for another audience', 'api-token'],
    ['that nobody has', 'no-token'],
    ['that is none', 'a b <c>'],
    ['that is too long', 'x'.repeat(20_000)],
  ])('stays closed for a token %s', async (_what, token) => {
    const { login } = await aPage();
    const { status, headers } = await login(token);
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  });

  test.each([
    ['no cookie', { cookie: '' }, 401],
    ['no key', { 'x-phaseout-key': '' }, 401],
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('gives nothing to a request with %s', async (_what, changed, status) => {
    const { port, sessionOf } = await aPage();
    const headers = { ...(await sessionOf('admin-token')), ...changed };
    const answer = await ask(port, '/api/overview', { headers });
    expect([answer.status, answer.text.includes('worker')]).toEqual([status, false]);
  });

  test('asks for a token, in the bare page', async () => {
    const { port } = await aPage();
    const { text } = await ask(port, '/', { headers: { host: 'page.example' } });
    expect(text).toContain('<html data-opens="token" lang="en">');
  });

  test('shows all of it to who may see all of it', async () => {
    const { read } = await aPage();
    const overview = await read<OverviewView>('/api/overview', 'admin-token');
    expect(overview.deleting.map(({ name }) => name)).toEqual(['worker-1', 'worker-2']);
    const view = await read<MachineView>('/api/machines/capi/blue/worker-1', 'admin-token');
    expect(view.plan).toEqual(plan);
  });

  test('shows nothing of a namespace without rights', async () => {
    const { read } = await aPage();
    const overview = await read<OverviewView>('/api/overview', 'blue-token');
    expect(overview.deleting.map(({ name }) => name)).toEqual(['worker-1']);
    const view = await read<MachineView>('/api/machines/capi/green/worker-2', 'blue-token');
    expect(view).toMatchObject({ state: 'unknown', history: [], unread: [] });
    expect(JSON.stringify(overview)).not.toContain('green');
  });

  test.each([
    ['all of it', 'admin-token', ['blue', 'green']],
    ['Machines of one namespace, and DeletionHooks', 'blue-hooks-token', ['blue']],
    ['Machines alone', 'blue-token', []],
  ])('names DeletionHooks that ask nothing, to who may see %s', async (_what, token, namespaces) => {
    const { read } = await aPage();
    const { unasked } = await read<OverviewView>('/api/overview', token);
    expect(unasked.map(({ namespace }) => namespace)).toEqual(namespaces);
  });

  test('says why a DeletionHook asks nothing', async () => {
    const { read } = await aPage();
    const { unasked } = await read<OverviewView>('/api/overview', 'blue-hooks-token');
    expect(unasked.map(({ text }) => text)).toEqual([
      "DeletionHook blue/move-data: nothing is asked for worker-1: the API's own controller carries its deletion on, and waits for no function",
    ]);
  });

  test('names no Pod to who may not get Pods', async () => {
    const { read } = await aPage();
    const overview = await read<OverviewView>('/api/overview', 'blue-token');
    const view = await read<MachineView>('/api/machines/capi/blue/worker-1', 'blue-token');
    expect(view.plan?.phases).toEqual([{ phase: 'drain', does: 'work', why: '' }]);
    expect(view.unread).toEqual([
      'not shown: Pods, and what tells of them, in namespaces where you may not get them',
    ]);
    expect(JSON.stringify([overview, view])).not.toMatch(/web-1|bank|shop/);
  });

  test.each<[string, string, [string, string[]][]]>([
    [
      'all of it',
      'admin-token',
      [
        ['PodDisruptionBudget bank/db, in cluster blue/blue', ['blue/worker-1']],
        ['PodDisruptionBudget bank/db, in cluster green/blue', ['green/worker-2']],
      ],
    ],
    ['Machines of one namespace, and no Pods', 'blue-token', [['DrainingNode', ['blue/worker-1']]]],
  ])('makes groups of no more than one may see: %s', async (_what, token, expected) => {
    const { read } = await aPage();
    const { groups, options } = chosen(await read<OverviewView>('/api/overview', token), noChoice);
    expect(groups.map(({ name, machines }) => [name, machines])).toEqual(expected);
    expect(options.holder).toEqual(expected.map(([name]) => name));
  });

  test('says who acts for a group without the names of Pods and budgets', async () => {
    const { read } = await aPage();
    const { groups } = chosen(await read<OverviewView>('/api/overview', 'blue-token'), noChoice);
    expect(groups.map(({ acts }) => acts)).toEqual([[{ who: 'budget-owner', name: 'budget-owner' }]]);
  });

  test('groups all Machines of a plan of many for who may see all of it', async () => {
    const { read } = await aPage();
    const { totals, groups, unread } = await read<PlanView>('/api/plan', 'admin-token');
    expect([totals.held, unread]).toEqual([2, []]);
    expect(groups).toMatchObject([
      { owner: 'Deployment bank/web', machines: [{ name: 'worker-1' }, { name: 'worker-2' }] },
    ]);
  });

  test('counts those of one namespace for who may see no others, and names no Pod and no budget', async () => {
    const { read } = await aPage();
    const view = await read<PlanView>('/api/plan?namespace=', 'blue-token');
    expect([view.totals.machines, view.totals.held, view.groups]).toEqual([1, 1, []]);
    expect(view.machines).toMatchObject([{ namespace: 'blue', name: 'worker-1', heldBy: [] }]);
    expect(view.unread).toEqual([
      expect.stringMatching(/^not shown: what holds 1 Machine: you may not list pods,/),
    ]);
    expect(JSON.stringify(view)).not.toMatch(/green|worker-2|bank|shop/);
  });

  test('says why it makes no plan of what makes no sense', async () => {
    const { read } = await aPage();
    const { problem, totals } = await read<PlanView>('/api/plan?selector=a%3F', 'blue-token');
    expect(problem).toMatch(/^labels: "a\?" is no requirement/);
    expect(totals.machines).toBe(0);
  });
});
