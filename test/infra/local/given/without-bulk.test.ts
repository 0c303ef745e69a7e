import { expect, it } from 'vitest';
import { withoutBulk } from '../../../../infra/local/given/without-bulk.ts';

const metadata = { name: 'a', labels: { app: 'web' }, managedFields: [{ manager: 'x' }] };
const kept = { name: 'a', labels: { app: 'web' } };

it.each([
  [
    'a Pod without its containers',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { nodeName: 'n', containers: [{}], initContainers: [{}] },
      status: { phase: 'Running', containerStatuses: [{}], initContainerStatuses: [{}] },
    },
    { metadata: kept, spec: { nodeName: 'n' }, status: { phase: 'Running' } },
  ],
  [
    'a Node without its images',
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata,
      spec: { providerID: 'p' },
      status: { images: [], conditions: [] },
    },
    { metadata: kept, spec: { providerID: 'p' }, status: { conditions: [] } },
  ],
  [
    'all else as it is',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { containers: [{}] } },
    { metadata, spec: { containers: [{}] } },
  ],
])('of a fleet is held %s', (_what, { apiVersion, kind, ...object }, held) => {
  expect(withoutBulk({ apiVersion, kind, ...object })).toEqual({ apiVersion, kind, ...held });
});
