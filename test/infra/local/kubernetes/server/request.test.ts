import { expect, it } from 'vitest';
import { segmentsOf } from '../../../../../infra/local/kubernetes/server/request.ts';

it.each([
  ['/api/v1/namespaces/default/pods/web', ['api', 'v1', 'namespaces', 'default', 'pods', 'web']],
  ['//api//v1/', ['api', 'v1']],
  ['/clusterroles/system%3Adiscovery', ['clusterroles', 'system:discovery']],
  ['/', []],
])('what stands between the slashes of %s', (path, segments) => {
  expect(segmentsOf(path)).toEqual(segments);
});
