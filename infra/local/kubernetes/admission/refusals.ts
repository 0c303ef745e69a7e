import type { core } from 'zod';
import type { Cause } from '../discovery/cause.ts';
import { forbidden, invalidValue, required, unsupported } from '../objects/status.ts';

/** Why a spec is refused, with the fields named as the API server names them. */
export function refusalsOf(issues: readonly core.$ZodIssue[], spec: unknown): Cause[] {
  return issues.flatMap((issue) => refusalsOfIssue(issue, spec));
}

function refusalsOfIssue(issue: core.$ZodIssue, spec: unknown): Cause[] {
  const field = ['spec', ...issue.path].reduce<string>(joined, '');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => forbidden(`${field}.${key}`, 'not enforced by the local API server'));
  const value = issue.path.reduce<unknown>(valueAt, spec);
  if (value === undefined || issue.code === 'too_small') return [required(field)];
  if (issue.code === 'invalid_value') return [unsupported(field, value, issue.values.map(String))];
  return [invalidValue(field, value, issue.message)];
}

function joined(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === String(key))?.[1];
}
