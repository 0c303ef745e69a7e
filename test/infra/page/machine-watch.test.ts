import { describe, expect, test } from 'vitest';
import { HurriedClock } from '../../../infra/local/platform/fast-clock.ts';
import { MachineWatch } from '../../../infra/page/look/machine-watch.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { WatchListener } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const api = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
};
const machine = (name: string): KubeObject => ({
  apiVersion: api.apiVersion,
  kind: 'Machine',
  metadata: { namespace: 'fleet', name, uid: `uid-${name}` },
});

function aWatch({ namespace }: { namespace?: string } = {}) {
  const clock = new HurriedClock(start);
  const asked: string[] = [];
  const there = { items: [machine('a'), machine('b')], isDown: false };
  let listener: WatchListener | undefined;
  const watch = new MachineWatch({
    machineApis: [api],
    clock,
    namespace,
    changed: (seen) => asked.push(`changed ${seen?.machine.metadata.name ?? 'any'}`),
    kubernetes: {
      async list(_resource, selection = {}) {
        asked.push(['list', selection.namespace ?? ''].join(' ').trimEnd());
        if (there.isDown) throw new Unavailable('it is down');
        return { items: there.items, resourceVersion: '7' };
      },
      watch(_resource, _selection, resourceVersion, heard) {
        asked.push(`watch ${resourceVersion}`);
        listener = heard;
        return () => asked.push('stop');
      },
    },
  });
  return { watch, asked, there, clock, tell: () => listener! };
}

const namesOf = (seen: readonly { machine: KubeObject }[]) =>
  seen.map(({ machine: { metadata } }) => metadata.name);

describe('the watch behind a page', () => {
  test('is one list and one watch, however many start it, and ends with the last of them', async () => {
    const { watch, asked } = aWatch();
    watch.start();
    watch.start();
    await watch.ready();
    expect(asked).toEqual(['list', 'watch 7', 'changed any']);
    watch.stop();
    expect(asked).not.toContain('stop');
    watch.stop();
    expect(asked.at(-1)).toBe('stop');
  });

  test('asks for the Machines of one namespace, where it is told', async () => {
    const { watch, asked } = aWatch({ namespace: 'fleet' });
    watch.start();
    await watch.ready();
    expect(asked[0]).toBe('list fleet');
  });

  test('sees what changes, and keeps what goes', async () => {
    const { watch, tell } = aWatch();
    watch.start();
    await watch.ready();
    tell().changed('ADDED', machine('c'));
    tell().changed('DELETED', machine('a'));
    expect(namesOf(watch.seen())).toEqual(['b', 'c']);
    expect(watch.gone().map(({ machine: { metadata }, went }) => [metadata.name, went])).toEqual([
      ['a', { at: start }],
    ]);
  });

  test('reads again when it has ended, and what the list has no more is gone', async () => {
    const { watch, tell, there, clock, asked } = aWatch();
    watch.start();
    await watch.ready();
    there.items = [machine('b')];
    tell().ended(true);
    await clock.passUntil(start + 10_000, () => false);
    expect(asked.filter((each) => each === 'list')).toHaveLength(2);
    expect(watch.gone().map(({ machine: { metadata }, went }) => [metadata.name, went])).toEqual([
      ['a', { at: start + 2_000, after: start }],
    ]);
  });

  test('knows of one that went unseen only that it was there when the API was heard last', async () => {
    const { watch, tell, there, clock } = aWatch();
    const passed = (milliseconds: number) => {
      clock.after(start + milliseconds - clock.now(), () => undefined);
      return clock.passUntil(start + milliseconds, () => false);
    };
    watch.start();
    await watch.ready();
    await passed(60_000);
    tell().changed('MODIFIED', machine('b'));
    watch.stop();
    there.items = [machine('b')];
    await passed(3_600_000);
    watch.start();
    await watch.ready();
    expect(watch.gone().map(({ went }) => went)).toEqual([{ at: start + 3_600_000, after: start + 60_000 }]);
  });

  test('says what it could not read, and keeps what it has seen', async () => {
    const { watch, tell, there, clock } = aWatch();
    watch.start();
    await watch.ready();
    there.isDown = true;
    tell().ended(false);
    await clock.passUntil(start + 3_000, () => false);
    expect(watch.unread()).toEqual(['not read: machines.cluster.x-k8s.io: it is down']);
    expect(namesOf(watch.seen())).toEqual(['a', 'b']);
    there.isDown = false;
    await clock.passUntil(start + 6_000, () => false);
    expect(watch.unread()).toEqual([]);
  });
});
