import type { Schema } from '../schema/schema.ts';
import { age, column, customResourceDefinition, scalable } from './definition.ts';
import {
  authoritativeApi,
  objectMetadata,
  openShiftConditions,
  openShiftMachine,
  openShiftMachineSpec,
  replicaCounts,
  statusAuthority,
} from './openshift-machine-schema.ts';
import {
  count,
  fields,
  filledText,
  integer,
  labelSelector,
  list,
  objectReference,
  oneOf,
  textLike,
} from './shape.ts';

const group = 'machine.openshift.io';
const name = 'v1beta1';
const status = { status: {} };
const wide = 1;
const escaped = 'machine\\.openshift\\.io';
const label = (title: string, key: string) => column(title, `.metadata.labels['${escaped}/${key}']`);

/** Machines of OpenShift's Machine API, as `oc get machine` shows them. */
const machines = customResourceDefinition({
  group,
  kind: 'Machine',
  versions: [
    {
      name,
      schema: openShiftMachine,
      subresources: status,
      columns: [
        column('Phase', '.status.phase'),
        label('Type', 'instance-type'),
        label('Region', 'region'),
        label('Zone', 'zone'),
        age,
        column('Node', '.status.nodeRef.name', 'string', wide),
        column('ProviderID', '.spec.providerID', 'string', wide),
        column('State', `.metadata.annotations['${escaped}/instance-state']`, 'string', wide),
      ],
    },
  ],
});

const machineSet: Schema = fields({
  spec: fields({
    authoritativeAPI: authoritativeApi,
    deletePolicy: oneOf('Random', 'Newest', 'Oldest'),
    minReadySeconds: count,
    replicas: { ...count, default: 1 },
    'selector!': labelSelector,
    template: fields({ metadata: objectMetadata, spec: openShiftMachineSpec }),
  }),
  status: fields({
    ...replicaCounts,
    authoritativeAPI: statusAuthority,
    conditions: openShiftConditions,
    synchronizedAPI: authoritativeApi,
    synchronizedGeneration: integer(0),
  }),
});

const machineSets = customResourceDefinition({
  group,
  kind: 'MachineSet',
  versions: [
    {
      name,
      schema: machineSet,
      subresources: scalable('.status.labelSelector'),
      columns: [
        column('Desired', '.spec.replicas', 'integer'),
        column('Current', '.status.replicas', 'integer'),
        column('Ready', '.status.readyReplicas', 'integer'),
        column('Available', '.status.availableReplicas'),
        age,
      ],
    },
  ],
});

const duration = '([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+';

const unhealthyCondition = fields({
  'type!': filledText(),
  'status!': filledText(),
  'timeout!': textLike(`^${duration}$`),
});

/** The fields of a MachineHealthCheck of `machine.openshift.io/v1beta1`. */
const healthCheck: Schema = fields({
  spec: fields({
    maxUnhealthy: {
      'x-kubernetes-int-or-string': true,
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
      default: '100%',
    },
    nodeStartupTimeout: { ...textLike(`^0|${duration}$`), default: '10m' },
    remediationTemplate: objectReference,
    'selector!': labelSelector,
    'unhealthyConditions!': list(unhealthyCondition, { minItems: 1 }),
  }),
  status: fields({
    conditions: openShiftConditions,
    currentHealthy: integer(0),
    expectedMachines: integer(0),
    remediationsAllowed: { ...integer(0), format: 'int32' },
  }),
});

const machineHealthChecks = customResourceDefinition({
  group,
  kind: 'MachineHealthCheck',
  shortNames: ['mhc', 'mhcs'],
  versions: [
    {
      name,
      schema: healthCheck,
      subresources: status,
      columns: [
        column('MaxUnhealthy', '.spec.maxUnhealthy'),
        column('ExpectedMachines', '.status.expectedMachines', 'integer'),
        column('CurrentHealthy', '.status.currentHealthy', 'integer'),
      ],
    },
  ],
});

/** The definitions of an OpenShift cluster that deleting Machines needs. */
export const openShiftDefinitions = [machines, machineSets, machineHealthChecks];
