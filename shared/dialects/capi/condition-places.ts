import { type ConditionList, conditionsFrom } from '../conditions.ts';
import { recordAt } from '../fields.ts';

type Status = Record<string, unknown>;

/** Whether a Machine is in the older of the two versions. */
export const isV1Beta1 = (apiVersion: string): boolean => apiVersion.endsWith('/v1beta1');

/** Each API version shows its own conditions in `status.conditions` and the other's apart from them. */
export const placesOf = (apiVersion: string): { v1Beta1: string[]; v1Beta2: string[] } =>
  isV1Beta1(apiVersion)
    ? { v1Beta1: [], v1Beta2: ['v1beta2'] }
    : { v1Beta1: ['deprecated', 'v1beta1'], v1Beta2: [] };

/** The conditions of a status that are at a place. */
export const listAt = (status: Status, place: string[]): ConditionList =>
  conditionsFrom(recordAt(status, ...place)['conditions']);

/** The status with other conditions at a place. */
export function withList(status: Status, place: string[], conditions: ConditionList): Status {
  const [field, ...rest] = place;
  if (field === undefined) return { ...status, conditions };
  return { ...status, [field]: withList({ ...recordAt(status, field) }, rest, conditions) };
}
