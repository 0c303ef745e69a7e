import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { systemClock } from '../../../shared/time/clock.ts';

const file = new URL('../../../infra/crds/deletionhooks.yaml', import.meta.url);
const definition = parse(readFileSync(file, 'utf8'));

/** What the API server keeps of such a spec, or says of it. */
function made(spec: object): unknown {
  const { cluster } = createApiServer({ clock: systemClock });
  cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const metadata = { name: 'etcd', namespace: 'default' };
  try {
    return cluster.create('deletionhooks.phaseout.dev', {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DeletionHook',
      metadata,
      spec,
    })['spec'];
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const others = { setBy: 'Others', at: 'PreTerminate', hook: 'etcd' };
const asksNothing = 'setBy Others asks no function, so it takes no every, order, timeout, onTimeout or send';

test('a hook of others is described by its name, with contact, runbook and silentAfter', () => {
  const described = { ...others, contact: '#etcd', runbook: 'https://a', silentAfter: '1h' };
  expect(made(described)).toMatchObject(described);
});

test.each<[string, object, string]>([
  ['no name of the hook', { setBy: 'Others', at: 'PreDrain' }, 'hook names the hook of others'],
  ['a name, but a function of its own', { at: 'PreDrain', hook: 'etcd' }, 'hook names the hook of others'],
  ['every', { ...others, every: '1m' }, asksNothing],
  ['order', { ...others, order: 10 }, asksNothing],
  ['a timeout', { ...others, timeout: '1h', onTimeout: 'Proceed' }, asksNothing],
  ['labels to send', { ...others, send: { labels: ['pool'] } }, asksNothing],
])('a hook of others takes not %s', (_what, spec, message) => {
  expect(made(spec)).toContain(message);
});
