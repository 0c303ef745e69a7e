import { expect, it } from 'vitest';
import { noticingMachines } from '../../../../infra/local/platform/seen-machines.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { ObjectList, WatchListener } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { servedAs } from '../../host/served-as.ts';

const { resource } = servedAs(clusterApi, 'v1beta2');
const nothing = (): void => undefined;
const silent = { changed: nothing, ended: nothing };
const aMachine = (name: string) => ({ metadata: { namespace: 'fleet', name, uid: `uid-${name}` } });

/** The API that sources get, what it answers, and the UIDs whose end it reports. */
function noticing() {
  const watches: WatchListener[] = [];
  const gone: string[] = [];
  let answer: Promise<ObjectList>;
  const { api, machines } = noticingMachines({
    list: () => answer,
    watch: (_resource, _selection, _version, listener) => {
      watches.push(listener);
      return nothing;
    },
  });
  machines.listen({ gone: (uid) => gone.push(uid) });
  const list = (namespace: string, ...names: string[]): Promise<ObjectList> => {
    answer = Promise.resolve({ items: names.map(aMachine), resourceVersion: '7' });
    return api.list(resource, { namespace });
  };
  const fail = async (): Promise<void> => {
    answer = Promise.reject(new Unavailable('forbidden'));
    await api.list(resource, { namespace: 'a' }).catch(nothing);
  };
  const names = (): string[] => machines.list().map(({ name }) => name);
  return { api, machines, watches, gone, list, fail, names };
}

it('a source gets its lists and changes as they are', async () => {
  const { api, list, watches } = noticing();
  expect((await list('a', 'x')).items).toEqual([aMachine('x')]);
  const told: unknown[] = [];
  const changed = (...change: unknown[]) => told.push(change);
  api.watch(resource, {}, '7', { changed, ended: (expired) => told.push(expired) });
  watches[0]?.changed('DELETED', aMachine('x'));
  watches[0]?.ended(true);
  expect(told).toEqual([['DELETED', aMachine('x')], true]);
});

it('the watch tells of an end', async () => {
  const { api, list, watches, gone, names, machines } = noticing();
  await list('a', 'x', 'y');
  api.watch(resource, { namespace: 'a' }, '7', silent);
  watches[0]?.changed('ADDED', aMachine('z'));
  watches[0]?.changed('DELETED', aMachine('x'));
  expect({ gone, names: names() }).toEqual({ gone: ['uid-x'], names: ['y', 'z'] });
  expect(['uid-x', 'uid-y'].map((uid) => machines.has(uid))).toEqual([false, true]);
});

it('what a later list does not have is gone, and lists of other namespaces say nothing of it', async () => {
  const { list, gone, names } = noticing();
  await list('a', 'x', 'y');
  await list('b', 'z');
  expect(gone).toEqual([]);
  await list('a', 'y');
  expect({ gone, names: names() }).toEqual({ gone: ['uid-x'], names: ['y', 'z'] });
});

it('a source that asks for its list in vain is a failure, until it gets one', async () => {
  const { machines, list, fail } = noticing();
  await fail();
  expect(() => machines.mustBeListed()).toThrow('forbidden');
  await list('a', 'x');
  machines.mustBeListed();
  await fail();
  machines.mustBeListed();
});
