import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { aMachine } from '../../../builders/cluster-api.ts';

const excludeDrain = 'machine.cluster.x-k8s.io/exclude-node-draining';
const excludeVolumeWait = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';

const excluded = (annotations: Record<string, string>) => {
  const machine = aMachine({ annotations });
  return {
    drain: clusterApi.isDrainExcluded(machine),
    volumes: clusterApi.isVolumeWaitExcluded(machine),
  };
};

describe('a Machine is excluded', () => {
  test.each(['', 'true', 'false'])('by the annotation alone, even where it says %j', (value) => {
    expect(excluded({ [excludeDrain]: value })).toEqual({ drain: true, volumes: false });
    expect(excluded({ [excludeVolumeWait]: value })).toEqual({ drain: false, volumes: true });
  });

  test('by no annotation of another API', () => {
    expect(excluded({ 'machine.openshift.io/exclude-node-draining': '' })).toEqual({
      drain: false,
      volumes: false,
    });
  });
});
