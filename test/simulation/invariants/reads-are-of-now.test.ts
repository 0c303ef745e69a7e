import { machines } from './built-stage.ts';
import { testsOf } from './cases.ts';
import { readsAreOfNow } from './reads-are-of-now.ts';

const pods = { host: 'blue', resource: 'pods' };

testsOf([
  {
    about: 'a Machine that a cache may answer for',
    invariant: readsAreOfNow,
    cries: 'instance-1 asks to get machines.cluster.x-k8s.io as of version 0',
    act: (stage) => stage.ask({ verb: 'get', resource: machines, query: { resourceVersion: '0' } }),
  },
  {
    about: 'a list that may be as old as what was seen before',
    invariant: readsAreOfNow,
    cries: 'instance-1 asks to list pods as of version 7',
    act: (stage) => stage.ask({ ...pods, verb: 'list', query: { limit: '500', resourceVersion: '7' } }),
  },
  {
    about: 'a page of a list',
    invariant: readsAreOfNow,
    act: (stage) => stage.ask({ ...pods, verb: 'list', query: { limit: '500', continue: 'token' } }),
  },
  {
    about: 'a watch that goes on from a version',
    invariant: readsAreOfNow,
    act: (stage) => stage.ask({ ...pods, verb: 'watch', query: { resourceVersion: '7' } }),
  },
  {
    about: 'a source that lists as informers do',
    invariant: readsAreOfNow,
    act: (stage) =>
      stage.ask({ instance: 'source-1', verb: 'list', resource: machines, query: { resourceVersion: '0' } }),
  },
]);
