import { expect, test } from 'vitest';
import { withNewRevision } from '../../../../../infra/cli/deploy/service/failed-revision.ts';
import type { KubeObject } from '../../../../../shared/kubernetes/objects.ts';
import { at } from '../../../knative/at.ts';
import { ours, service } from '../installation.ts';

const failed = 'RevisionFailed';
const never = 'Initial scale was never achieved';

/** A Service as it was found, with these conditions. */
function found(conditions: object[], more: { generation?: number; annotations?: object } = {}): KubeObject {
  const wanted = service();
  const template = {
    metadata: { annotations: more.annotations ?? {} },
    spec: { containers: [{ image: 'phaseout:1' }] },
  };
  return {
    ...wanted,
    metadata: { ...wanted.metadata, generation: more.generation ?? 1 },
    spec: { template },
    status: { observedGeneration: 1, latestCreatedRevisionName: 'phaseout-00001', conditions },
  };
}

const configurations = (status: string) => ({
  type: 'ConfigurationsReady',
  status,
  reason: failed,
  message: never,
});
const missing = { type: 'RoutesReady', status: 'False', reason: 'RevisionMissing' };
const after = (name: string) => ({ 'phaseout.dev/after-revision': name });

test.each<[string, KubeObject | undefined, object | undefined]>([
  ['none is there', undefined, undefined],
  ['it is ready', found([configurations('True')]), undefined],
  ['its Revision still starts', found([configurations('Unknown')]), undefined],
  [
    'its first Revision still starts, so its route has none',
    found([configurations('Unknown'), missing]),
    undefined,
  ],
  ['its Revision has failed', found([configurations('False'), missing]), after('phaseout-00001')],
  [
    'its only Revision was ready for a moment, and then failed',
    found([configurations('True'), missing]),
    after('phaseout-00001'),
  ],
  [
    'its route is not ready for another reason',
    found([configurations('True'), { ...missing, reason: 'IngressNotConfigured' }]),
    undefined,
  ],
  [
    'Knative has not looked at its newest template',
    found([configurations('False')], { generation: 2 }),
    undefined,
  ],
  [
    'the one before this has failed, and this is ready',
    found([configurations('True')], { annotations: after('phaseout-00000') }),
    after('phaseout-00000'),
  ],
  [
    'the one before this has failed, and this as well',
    found([configurations('False')], { annotations: after('phaseout-00000') }),
    after('phaseout-00001'),
  ],
])(
  'a Service gets a new template only where its newest Revision has failed: %s',
  (_, before, annotations) => {
    const wanted = withNewRevision(service(), before);
    expect(at(wanted, 'spec', 'template', 'metadata', 'annotations')).toEqual(annotations);
    expect(at(wanted, 'spec', 'template', 'spec', 'containers', 0, 'image')).toBe('phaseout:1');
  },
);

test('no other kind gets one', () => {
  const wanted = ours('apps/v1', 'Deployment', 'phaseout', { spec: { template: {} } });
  expect(withNewRevision(wanted, found([configurations('False')]))).toBe(wanted);
});
