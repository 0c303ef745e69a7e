import { expect, test } from 'vitest';
import { at } from './at.ts';
import { only, renderedForAll } from './rendered.ts';

const objects = renderedForAll({ dynamodbLocal: true, namespace: 'ns' });
const deployment = only(objects, 'apps/v1/Deployment');
const pod = at(deployment, 'spec', 'template', 'spec');

test('DynamoDB Local tells Amazon nothing, and keeps its tables on its volume', () => {
  expect(at(pod, 'containers', 0, 'args')).toEqual(
    expect.arrayContaining(['-disableTelemetry', '-sharedDb', '-dbPath', '/data']),
  );
  expect(at(pod, 'containers', 0, 'env')).toEqual([{ name: 'DDB_LOCAL_TELEMETRY', value: '0' }]);
  expect(at(pod, 'containers', 0, 'volumeMounts')).toContainEqual({ name: 'data', mountPath: '/data' });
  expect(at(pod, 'volumes', 0)).toEqual({
    name: 'data',
    persistentVolumeClaim: { claimName: only(objects, 'v1/PersistentVolumeClaim').metadata.name },
  });
});

test('it writes nowhere else, as nobody in particular, and one at a time', () => {
  expect(at(pod, 'containers', 0, 'securityContext', 'readOnlyRootFilesystem')).toBe(true);
  expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe(true);
  // Its volume belongs to root otherwise.
  expect(at(pod, 'securityContext', 'fsGroup')).toBe(at(pod, 'securityContext', 'runAsUser'));
  expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  expect(at(deployment, 'spec', 'strategy')).toEqual({ type: 'Recreate' });
});

test('its Service leads to it, by the address that the functions are told', () => {
  const service = only(objects, 'v1/Service');
  expect(at(service, 'spec', 'selector')).toEqual(at(deployment, 'spec', 'template', 'metadata', 'labels'));
  expect(at(service, 'spec', 'ports', 0)).toEqual({
    name: 'http',
    protocol: 'TCP',
    port: 8000,
    targetPort: 'http',
  });
  const { name, namespace } = service.metadata;
  expect(at(only(objects, 'v1/ConfigMap'), 'data', 'PHASEOUT_DYNAMODB_ENDPOINT')).toBe(
    `http://${name}.${namespace}.svc:8000`,
  );
});
