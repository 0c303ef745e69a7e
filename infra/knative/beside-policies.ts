import * as z from 'zod';
import { hookOf, listedHookOf } from '../../shared/dialects/beside/hook.ts';
import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import {
  type LabelSelector,
  SelectorSyntaxError,
  selectorOf,
} from '../../shared/kubernetes/selector-text.ts';
import { hookPlaces } from '../../shared/machine/hook-call.ts';
import { ConfigInvalid } from '../../shared/runtime/config.ts';
import { besideIn } from './beside.ts';
import type { Installation } from './installed.ts';

/** The component that the policies of mode beside belong to, with the ConfigMap that one of them needs. */
export const besideComponent = 'beside';

/**
 * The policies of `admission/beside-*.yaml`, which are written for serverless.yml's own installation. Here they get the
 * namespace, account, hook and Machines of this one. Throws ConfigInvalid.
 */
export function besidePolicies(objects: readonly KubeObject[], installation: Installation): KubeObject[] {
  const { apis } = besideIn(installation.environment);
  return objects
    .filter((object) => {
      const api = apiOf(object);
      return apis.includes(api) && installation.machineApis.includes(api);
    })
    .map((object) => adapted(renamed(object, installation), installation));
}

const ofOpenShift = 'beside-openshift.phaseout.dev';

/** The Machine API that a policy, or what belongs to one, is for. */
const apiOf = ({ metadata: { name } }: KubeObject): MachineApiName =>
  name === ofOpenShift ? 'openshift' : 'capi';

const placesSchema = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });

function renamed(object: KubeObject, { file, environment }: Installation): KubeObject {
  const { service, namespace, serviceAccounts } = file;
  const names = service === 'phaseout' ? '' : `.${service}`;
  const { installation } = besideIn(environment);
  const text = hookPlaces
    .reduce(
      (all, place) => all.replaceAll(hookOf('', place), hookOf(installation, place)),
      JSON.stringify(object),
    )
    .replaceAll(`"'${listedHookOf('')}'"`, `"'${listedHookOf(installation)}'"`)
    .replaceAll(
      'serviceaccount:phaseout:phaseout',
      `serviceaccount:${namespace}:${serviceAccounts.functions}`,
    )
    .replaceAll('"namespace":"phaseout"', `"namespace":"${namespace}"`)
    .replaceAll('"phaseout-registration"', `"${service}-registration"`)
    .replaceAll(/"(beside-[-a-z]+)\.phaseout\.dev"/g, `"$1${names}.phaseout.dev"`);
  return placesSchema.parse(JSON.parse(text));
}

const conditionsSchema = z.looseObject({ matchConditions: z.array(z.looseObject({ name: z.string() })) });

/** The conditions that a variable takes back. */
const conditionalOn: Readonly<Record<string, string>> = {
  'no-control-plane': 'PHASEOUT_BESIDE_CONTROL_PLANES',
  'no-machine-pool': 'PHASEOUT_BESIDE_MACHINE_POOLS',
};

function adapted(object: KubeObject, { environment, namespaces }: Installation): KubeObject {
  if (object.kind === 'MutatingAdmissionPolicy') {
    const spec = conditionsSchema.parse(object['spec']);
    const isWanted = (name: string): boolean => environment[conditionalOn[name] ?? ''] !== 'true';
    const matchConditions = spec.matchConditions.filter(({ name }) => isWanted(name));
    return { ...object, spec: { ...spec, matchConditions } };
  }
  if (object.kind !== 'MutatingAdmissionPolicyBinding') return object;
  const matchResources = selectionOf(environment['PHASEOUT_BESIDE_SELECTOR'] ?? '', namespaces);
  return matchResources === undefined
    ? object
    : { ...object, spec: { ...Object(object['spec']), matchResources } };
}

/** Throws ConfigInvalid. */
function readSelector(text: string): LabelSelector {
  try {
    return selectorOf(text);
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error;
    throw new ConfigInvalid([`PHASEOUT_BESIDE_SELECTOR: ${error.message}`]);
  }
}

interface Selection {
  objectSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
}

/** Every namespace has its name as a label. */
function selectionOf(selector: string, namespaces: readonly string[] | undefined): Selection | undefined {
  if (selector === '' && namespaces === undefined) return undefined;
  const place = { key: 'kubernetes.io/metadata.name', operator: 'In' as const };
  return {
    ...(selector === '' ? {} : { objectSelector: readSelector(selector) }),
    ...(namespaces && {
      namespaceSelector: { matchExpressions: [{ ...place, values: [...namespaces] }] },
    }),
  };
}
