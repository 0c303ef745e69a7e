import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { checkpointAnnotation } from '../../../shared/machine/checkpoint.ts';
import { isClusterApi, isOpenShift } from './apis.ts';
import { checkpointOf } from './sights.ts';

/** What a story tells of a Machine, by what it is about; told again only when it changes. */
export function newsOf(machine: KubeObject): [about: string, text: string | undefined][] {
  const checkpoint: [string, string | undefined] = ['checkpoint', checkpointText(machine)];
  if (isClusterApi(machine)) {
    const types = ['Paused', 'Deleting'];
    const ours = prefixed('ours: ', reasonText(machine, 'phaseout.dev/Draining'));
    return [
      checkpoint,
      ['ours', ours],
      ...types.map((type): [string, string | undefined] => [type, reasonText(machine, type)]),
    ];
  }
  return [checkpoint, ...(isOpenShift(machine) ? openShiftNews(machine) : originalNews(machine))];
}

/** v1beta1 of Cluster API shows the newer conditions apart. */
export function conditionsOf(machine: KubeObject): unknown[] {
  return conditionsIn(
    isOfOldVersion(machine) ? recordAt(machine, 'status', 'v1beta2') : recordAt(machine, 'status'),
  );
}

/** Of Cluster API: v1beta2 shows the older conditions apart. */
export const olderConditionsOf = (machine: KubeObject): unknown[] =>
  conditionsIn(
    isOfOldVersion(machine)
      ? recordAt(machine, 'status')
      : recordAt(machine, 'status', 'deprecated', 'v1beta1'),
  );

const isOfOldVersion = (machine: KubeObject): boolean =>
  isClusterApi(machine) && machine.apiVersion?.endsWith('/v1beta1') === true;

const conditionsIn = ({ conditions }: Readonly<Record<string, unknown>>): unknown[] =>
  Array.isArray(conditions) ? conditions : [];

/** The one of this type; undefined where there is none. */
export const conditionIn = (conditions: readonly unknown[], type: string): unknown =>
  conditions.find((condition) => textAt(condition, 'type') === type);

/** Whether a time in the status is of this Machine. The Machine that it was copied from may have left an earlier one. */
export const isOfItself = ({ metadata }: KubeObject, time: string | undefined): boolean =>
  !(Date.parse(time ?? '') < Date.parse(metadata.creationTimestamp ?? ''));

/** What `status.deletion` says of its own deletion; undefined where it says nothing. */
export function deletionTimeOf(machine: KubeObject, field: string): string | undefined {
  const time = textAt(machine, 'status', 'deletion', field);
  return isOfItself(machine, time) ? time : undefined;
}

function openShiftNews(machine: KubeObject): [string, string | undefined][] {
  const conditions = conditionsOf(machine).map((condition): [string, string] => {
    const [type, ...words] = ['type', 'status', 'severity', 'reason'].map((field) =>
      textAt(condition, field),
    );
    const text = [type, ...words].filter((word) => word !== undefined).join(' ');
    const message = textAt(condition, 'message');
    return [type ?? '', message === undefined ? text : `${text}: ${message}`];
  });
  return [
    ['phase', prefixed('status.phase ', textAt(machine, 'status', 'phase'))],
    ['authority', prefixed('status.authoritativeAPI ', textAt(machine, 'status', 'authoritativeAPI'))],
    ['error', errorText(machine)],
    ...finalizerNews(machine),
    ...conditions,
  ];
}

/** Empty where there is none. */
function errorText(machine: KubeObject): string {
  const { errorReason, errorMessage } = recordAt(machine, 'status');
  if (errorReason === undefined && errorMessage === undefined) return '';
  return `status.errorReason ${String(errorReason)}: ${String(errorMessage)}`;
}

function originalNews(machine: KubeObject): [string, string | undefined][] {
  const owners = (machine.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
  const addresses = recordAt(machine, 'status')['addresses'];
  return [
    ...finalizerNews(machine),
    ['owner', owners.length === 0 ? undefined : `owned by ${owners.join(', ')}`],
    ['providerID', prefixed('spec.providerID ', textAt(machine, 'spec', 'providerID'))],
    ['addresses', Array.isArray(addresses) ? `status.addresses: ${addresses.length}` : undefined],
    ['phase', prefixed('status.phase ', textAt(machine, 'status', 'phase'))],
  ];
}

function finalizerNews({ metadata }: KubeObject): [string, string | undefined][] {
  const { finalizers = [] } = metadata;
  return [['finalizers', finalizers.length === 0 ? undefined : `finalizers ${finalizers.join(', ')}`]];
}

const prefixed = (before: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${before}${text}`;

function checkpointText(machine: KubeObject): string | undefined {
  if (machine.metadata.annotations?.[checkpointAnnotation] === undefined) return undefined;
  const checkpoint = checkpointOf(machine);
  const passed = Object.entries(recordAt(checkpoint, 'passed')).map(
    ([phase, how]) => `${phase} ${textAt(how, 'as')}`,
  );
  const after = passed.length === 0 ? '' : ` (${passed.join(', ')})`;
  const released = textAt(checkpoint, 'released') === undefined ? '' : ', released';
  return `phase ${textAt(checkpoint, 'phase') ?? 'unreadable'}${after}${released}`;
}

/** Only what differs from a Machine without a deletion or a pause. */
function reasonText(machine: KubeObject, type: string): string | undefined {
  const found = conditionIn(conditionsOf(machine), type);
  const reason = textAt(found, 'reason');
  if (reason === undefined || reason === 'NotDeleting') return undefined;
  if (reason === 'NotPaused') return undefined;
  const message = textAt(found, 'message');
  return message === undefined ? reason : `${reason}: ${message}`;
}
