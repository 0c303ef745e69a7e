import { machineApiNames } from '../../../shared/dialects/registry.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { modeIn } from '../../knative/beside.ts';
import { besideComponent } from '../../knative/beside-policies.ts';
import { componentLabel } from '../../knative/manifest.ts';
import { isObject } from '../../local/kubernetes/server/json.ts';
import { printable } from '../../terminal/words.ts';
import type { Site } from './site.ts';

/** The functions' variables and their values. Those that are empty count as not set, as the functions read them. */
export type Variables = ReadonlyMap<string, string>;

/** Whether it has the functions' variables. The policies of mode beside have a ConfigMap, too. */
export const isConfigMap = ({ kind, metadata: { labels } }: KubeObject): boolean =>
  kind === 'ConfigMap' && labels?.[componentLabel] !== besideComponent;

export function variablesIn(configMaps: readonly KubeObject[]): Variables {
  const data = configMaps.map((object) => object['data']).filter(isObject);
  const entries = data.flatMap((one) => Object.entries(one));
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  );
}

/** A variable that would have another value than it had; undefined: none. */
export interface Lost {
  name: string;
  before: string;
  after: string | undefined;
}

/** These have options of their own; deploy refuses if the user forgets one. */
const haveOptions = new Set(['PHASEOUT_MACHINE_APIS', 'PHASEOUT_NAMESPACES']);

/** The variables that would lose their value without a `--set` for them. */
export const lostVariables = (before: Variables, after: Variables, said: readonly string[]): Lost[] =>
  [...before]
    .filter(([name]) => !haveOptions.has(name) && !said.includes(name))
    .map(([name, value]) => ({ name, before: value, after: after.get(name) }))
    .filter((one) => one.after !== one.before && !(one.name === modeVariable && isSameMode(before, after)));

const modeVariable = 'PHASEOUT_MODE';

/** Whether all Machine APIs that are looked after keep their mode: of others a later version may say something new. */
function isSameMode(before: Variables, after: Variables): boolean {
  const [was, is] = [Object.fromEntries(before), Object.fromEntries(after)];
  const apis = before.get('PHASEOUT_MACHINE_APIS')?.split(',') ?? machineApiNames;
  return machineApiNames
    .filter((name) => apis.includes(name))
    .every((name) => modeIn(name, was) === modeIn(name, is));
}

/**
 * A mistake in these shows late. The store lacks the open deletions, the provider knows no server, or no installation
 * takes the hooks off.
 */
const crucial = new Set([
  'PHASEOUT_TABLE',
  'PHASEOUT_DYNAMODB_ENDPOINT',
  'PHASEOUT_ACTUATOR_URL',
  'PHASEOUT_MODE',
  'PHASEOUT_INSTALLATION',
]);

export const isCrucial = ({ name }: Lost): boolean => crucial.has(name);

/** Without any of these the functions find no store, unless something else sets it in their Pods. */
const ofStore = ['AWS_REGION', 'PHASEOUT_DYNAMODB_ENDPOINT'];

export function warnOfNoStore({ tell }: Site, variables: Variables): void {
  if (ofStore.some((name) => variables.has(name))) return;
  const ways = '--set AWS_REGION=… or PHASEOUT_DYNAMODB_ENDPOINT=…, or --dynamodb-local';
  const text = `nothing says where the store is (${ways}): instances get ready only where something else, such as the webhook of AWS for roles, gives them a region`;
  tell({ event: 'warning', text });
}

/** Reports lost variables that are no reason to refuse: a later version may have other defaults. */
export function warnOfLost({ tell }: Site, lost: readonly Lost[]): void {
  const others = lost.filter((one) => !isCrucial(one));
  if (others.length === 0) return;
  const changes = others.map(({ name, before, after }) =>
    printable(`${name}: ${before} -> ${after ?? '(none)'}`),
  );
  const text = `variables lose the values that they were installed with (--set NAME=VALUE keeps one): ${changes.join(', ')}`;
  tell({ event: 'warning', text });
}
